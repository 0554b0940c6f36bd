#ifndef CLEVELDB_SHIM_H
#define CLEVELDB_SHIM_H

#include <leveldb/c.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/// Makes a file private that LevelDB made readable to everybody. Returns 0 or -1.
static inline int cleveldb_make_private(const char *path) { return chmod(path, 0600); }

/// Returns whether bytes begin with others; a scan calls it for every record.
static inline bool cleveldb_begins(
    const void *bytes, size_t count, const void *prefix, size_t prefix_count) {
    if (prefix_count == 0) return true;
    return count >= prefix_count && memcmp(bytes, prefix, prefix_count) == 0;
}

/// Distinguishes a file from any other state of it, and says how much of the disk it takes.
struct cleveldb_stamp {
    uint64_t inode;
    int64_t changed_seconds;
    int64_t changed_nanoseconds;
    int64_t allocated;
};

/// Returns 0 or -1.
static inline int cleveldb_stamp(const char *path, struct cleveldb_stamp *stamp) {
    struct stat status;
    if (stat(path, &status) != 0) return -1;
    stamp->inode = (uint64_t)status.st_ino;
#ifdef __APPLE__
    struct timespec changed = status.st_ctimespec;
#else
    struct timespec changed = status.st_ctim;
#endif
    stamp->changed_seconds = (int64_t)changed.tv_sec;
    stamp->changed_nanoseconds = (int64_t)changed.tv_nsec;
    stamp->allocated = (int64_t)status.st_blocks * 512;
    return 0;
}

#endif
