#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>

/// Lets a connection leave its log as it is when it is closed.
static inline int csqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// A path that leads through an open directory stays as it is. SQLite would look up where that is now,
/// and go there by its path from then on.
static int csqlite_full_path(sqlite3_vfs *files, const char *path, int size, char *full) {
    static const char open_files[] = "/proc/self/fd/";
    if (strncmp(path, open_files, sizeof open_files - 1) != 0) {
        sqlite3_vfs *usual = sqlite3_vfs_find((const char *)0);
        return usual->xFullPathname(usual, path, size, full);
    }
    if ((int)strlen(path) >= size) return SQLITE_CANTOPEN;
    strcpy(full, path);
    return SQLITE_OK;
}

/// Adds the system's files with such paths under a name; call it once. An SQLite result code.
static inline int csqlite_add_files(const char *name) {
    static sqlite3_vfs files;
    sqlite3_vfs *usual = sqlite3_vfs_find((const char *)0);
    if (!usual) return SQLITE_ERROR;
    files = *usual;
    files.zName = name;
    files.xFullPathname = csqlite_full_path;
    return sqlite3_vfs_register(&files, 0);
}

#endif
