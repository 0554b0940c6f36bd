#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <sys/statvfs.h>

/// Flags of `open(2)`, so that the backend needs no C library module of its own.
static const int CSQLITE_READ = O_RDONLY;
static const int CSQLITE_NEW = O_RDWR | O_CREAT | O_EXCL;
static const int CSQLITE_APPEND = O_WRONLY | O_APPEND;

/// Lets a connection leave its log as it is when it is closed.
static inline int csqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// What this user may still write to the file system of an open file, in bytes; 0 if unknown.
static inline int64_t csqlite_free_bytes(int descriptor) {
    struct statvfs status;
    if (fstatvfs(descriptor, &status) != 0) return 0;
    return (int64_t)status.f_bavail * (int64_t)status.f_frsize;
}

#endif
