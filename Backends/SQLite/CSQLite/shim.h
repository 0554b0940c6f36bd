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

/// Syncs the log of a connection through its own descriptor. Returns an SQLite result code.
static inline int csqlite_sync_log(sqlite3 *database) {
    sqlite3_file *log = (sqlite3_file *)0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK) return code;
    if (!log || !log->pMethods) return SQLITE_ERROR;
    return log->pMethods->xSync(log, SQLITE_SYNC_FULL);
}

/// A database file that is only read, without a connection and without SQLite's locks.
typedef struct {
    sqlite3_file *file;
    const char *name;
} csqlite_file;

/// Closes a file; locks of connections of this process to it stay. SQLite keeps a descriptor open while
/// another one of its own has a lock on the same file, since closing any would drop that.
static inline void csqlite_close_file(csqlite_file *opened) {
    if (opened->file && opened->file->pMethods) opened->file->pMethods->xClose(opened->file);
    sqlite3_free(opened->file);
    sqlite3_free_filename((char *)opened->name);
    opened->file = (sqlite3_file *)0;
    opened->name = (const char *)0;
}

/// Opens a database file for reading with the system's files of a name. Returns an SQLite result code.
static inline int csqlite_open_file(const char *files, const char *path, csqlite_file *opened) {
    sqlite3_vfs *found = sqlite3_vfs_find(files);
    opened->file = (sqlite3_file *)0;
    opened->name = (const char *)0;
    if (!found) return SQLITE_ERROR;
    opened->file = (sqlite3_file *)sqlite3_malloc(found->szOsFile);
    opened->name = sqlite3_create_filename(path, "", "", 0, (const char **)0);
    if (!opened->file || !opened->name) {
        if (opened->file) memset(opened->file, 0, (size_t)found->szOsFile);
        csqlite_close_file(opened);
        return SQLITE_NOMEM;
    }
    memset(opened->file, 0, (size_t)found->szOsFile);
    int code = found->xOpen(
        found, opened->name, opened->file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, (int *)0);
    if (code != SQLITE_OK) csqlite_close_file(opened);
    return code;
}

static inline int csqlite_file_size(csqlite_file *opened, sqlite3_int64 *size) {
    return opened->file->pMethods->xFileSize(opened->file, size);
}

/// Reads bytes, and zeros behind the end of the file.
static inline int csqlite_read_file(
    csqlite_file *opened, void *memory, int size, sqlite3_int64 offset) {
    int code = opened->file->pMethods->xRead(opened->file, memory, size, offset);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

#endif
