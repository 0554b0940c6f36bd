#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>

/// Sets whether a connection leaves its log unchanged when it is closed.
static inline int csqlite_keep_log(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

/// Makes a connection run nothing that a file contains (triggers, views, or functions that a schema
/// calls) and change no schema. Returns an SQLite result code.
static inline int csqlite_harden(sqlite3 *database) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    };
    for (size_t index = 0; index < sizeof settings / sizeof settings[0]; index++) {
        int code =
            sqlite3_db_config(database, settings[index][0], settings[index][1], (int *)0);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

/// Keeps a path that leads through an open directory. SQLite would find out where the directory is
/// now, and use that path from then on.
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

/// Adds the system's files with such paths under a name; call it once. Returns an SQLite result
/// code.
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
