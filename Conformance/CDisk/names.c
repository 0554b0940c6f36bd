// Calls that change or query the names of files.

#include "watch.h"

#if defined(__GLIBC__)

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>

// MARK: - One name

typedef int (*name_call)(int, const char *, int);

/// A call that makes or removes a name. The record has the node that has or had it.
static int watched_name(
    enum disk_operation operation, int directory, const char *name, int argument, name_call call) {
    struct disk_path path;
    if (IS_UNWATCHED || !disk_is_named(directory, name, &path))
        return call(directory, name, argument);
    disk_begin();
    struct stat status = {0};
    if (operation != DISK_MAKE_DIRECTORY)
        fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW);
    int result = -1;
    int error = disk_decide(operation, NULL);
    if (error) errno = error;
    else result = call(directory, name, argument);
    if (result == 0) {
        if (operation == DISK_MAKE_DIRECTORY)
            fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW);
        disk_record(operation, 0, status.st_ino, 0, 0, path.text, NULL, NULL);
        disk_end_within();
    }
    disk_end();
    return result;
}

static int call_unlinkat(int directory, const char *name, int flags) {
    NEXT_OR_FAIL(unlinkat)
    return next(directory, name, flags);
}

static int call_mkdirat(int directory, const char *name, int mode) {
    NEXT_OR_FAIL(mkdirat)
    return next(directory, name, (mode_t)mode);
}

int unlinkat(int directory, const char *name, int flags) {
    return watched_name(
        (flags & AT_REMOVEDIR) ? DISK_REMOVE_DIRECTORY : DISK_UNLINK, directory, name, flags,
        call_unlinkat);
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int remove(const char *name) {
    int result = unlink(name);
    return result != 0 && errno == EISDIR ? rmdir(name) : result;
}

int mkdirat(int directory, const char *name, mode_t mode) {
    return watched_name(DISK_MAKE_DIRECTORY, directory, name, (int)mode, call_mkdirat);
}

int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

char *mkdtemp(char *template) {
    NEXT(mkdtemp);
    char *name = next ? next(template) : NULL;
    struct disk_path path;
    struct stat status;
    if (name && !IS_UNWATCHED && disk_is_named(AT_FDCWD, name, &path)) {
        disk_begin();
        if (stat(name, &status) == 0)
            disk_record(DISK_MAKE_DIRECTORY, 0, status.st_ino, 0, 0, path.text, NULL, NULL);
        disk_end();
    }
    return name;
}

// MARK: - Two names

typedef int (*names_call)(int, const char *, int, const char *, unsigned int);

static int watched_names(
    enum disk_operation operation, int directory, const char *name, int other_directory,
    const char *other_name, unsigned int flags, names_call call) {
    struct disk_path path = {{0}}, other = {{0}};
    int has_path = !IS_UNWATCHED && disk_is_named(directory, name, &path);
    int has_other = !IS_UNWATCHED && disk_is_named(other_directory, other_name, &other);
    if (!has_path && !has_other)
        return call(directory, name, other_directory, other_name, flags);
    disk_begin();
    struct stat status = {0};
    fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW);
    int result = -1;
    int error = disk_decide(operation, NULL);
    if (error) errno = error;
    else result = call(directory, name, other_directory, other_name, flags);
    if (result == 0) {
        int is_exchange = operation == DISK_RENAME && (flags & RENAME_EXCHANGE);
        if (!has_path || !has_other || is_exchange)
            disk_record(
                DISK_ESCAPE, 0, status.st_ino, 0, 0,
                is_exchange ? "an exchange of names" : "a name that comes from elsewhere or goes",
                NULL, NULL);
        else
            disk_record(operation, 0, status.st_ino, 0, 0, path.text, other.text, NULL);
        disk_end_within();
    }
    disk_end();
    return result;
}

static int call_renameat2(
    int directory, const char *name, int other_directory, const char *other_name,
    unsigned int flags) {
    NEXT_OR_FAIL(renameat2)
    return next(directory, name, other_directory, other_name, flags);
}

static int call_linkat(
    int directory, const char *name, int other_directory, const char *other_name,
    unsigned int flags) {
    NEXT_OR_FAIL(linkat)
    return next(directory, name, other_directory, other_name, (int)flags);
}

int renameat2(
    int directory, const char *name, int other_directory, const char *other_name,
    unsigned int flags) {
    return watched_names(
        DISK_RENAME, directory, name, other_directory, other_name, flags, call_renameat2);
}

int renameat(int directory, const char *name, int other_directory, const char *other_name) {
    return renameat2(directory, name, other_directory, other_name, 0);
}

int rename(const char *name, const char *other) {
    return renameat2(AT_FDCWD, name, AT_FDCWD, other, 0);
}

int linkat(
    int directory, const char *name, int other_directory, const char *other_name, int flags) {
    return watched_names(
        DISK_LINK, directory, name, other_directory, other_name, (unsigned int)flags, call_linkat);
}

int link(const char *name, const char *other) {
    return linkat(AT_FDCWD, name, AT_FDCWD, other, 0);
}

int symlinkat(const char *target, int directory, const char *name) {
    NEXT_OR_FAIL(symlinkat)
    struct disk_path path;
    if (!IS_UNWATCHED && disk_is_named(directory, name, &path)) {
        disk_begin();
        disk_record(DISK_ESCAPE, 0, 0, 0, 0, "a symbolic link", NULL, NULL);
        disk_end();
    }
    return next(target, directory, name);
}

int symlink(const char *target, const char *name) { return symlinkat(target, AT_FDCWD, name); }

// MARK: - Looking

/// Fails a query of a name if that fault is injected; returns 0 otherwise.
static int fails_to_look(int directory, const char *name) {
    struct disk_path path;
    if (IS_UNDOOMED(DISK_LOOK) || !disk_is_named(directory, name, &path)) return 0;
    disk_begin();
    int error = disk_decide(DISK_LOOK, NULL);
    disk_end();
    if (error) errno = error;
    return error;
}

#define STAT(name, type)                                    \
    int name(const char *path, struct type *status) {       \
        NEXT_OR_FAIL(name)                                  \
        if (fails_to_look(AT_FDCWD, path)) return -1;       \
        return next(path, status);                          \
    }

STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)

#define STATAT(name, type)                                                      \
    int name(int directory, const char *path, struct type *status, int flags) { \
        NEXT_OR_FAIL(name)                                                      \
        if (path[0] && fails_to_look(directory, path)) return -1;               \
        return next(directory, path, status, flags);                            \
    }

STATAT(fstatat, stat)
STATAT(fstatat64, stat64)

#if defined(STATX_TYPE)
int statx(
    int directory, const char *path, int flags, unsigned mask, struct statx *status) {
    NEXT_OR_FAIL(statx)
    if (path[0] && fails_to_look(directory, path)) return -1;
    return next(directory, path, flags, mask, status);
}
#endif

int access(const char *path, int mode) {
    NEXT_OR_FAIL(access)
    if (fails_to_look(AT_FDCWD, path)) return -1;
    return next(path, mode);
}

DIR *opendir(const char *path) {
    NEXT(opendir);
    if (!next || fails_to_look(AT_FDCWD, path)) return NULL;
    return next(path);
}

/// A failed readdir looks like the end of the directory to a caller that ignores the error.
static int fails_to_read(DIR *directory) {
    struct disk_path path;
    struct stat status;
    if (IS_UNDOOMED(DISK_LOOK) || !disk_is_watched(dirfd(directory), &path, &status)) return 0;
    disk_begin();
    int error = disk_decide(DISK_LOOK, NULL);
    disk_end();
    if (error) errno = error;
    return error;
}

struct dirent *readdir(DIR *directory) {
    NEXT(readdir);
    if (!next || fails_to_read(directory)) return NULL;
    return next(directory);
}

struct dirent64 *readdir64(DIR *directory) {
    NEXT(readdir64);
    if (!next || fails_to_read(directory)) return NULL;
    return next(directory);
}

#endif
