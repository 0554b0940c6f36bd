// Calls that change the content of files.

#include "watch.h"

#if defined(__GLIBC__)

#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

// MARK: - Opening

static int has_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

/// Returns the mode of a call such as open, if its flags say that there is one.
#define MODE(mode, flags)              \
    mode_t mode = 0;                   \
    if (has_mode(flags)) {             \
        va_list list;                  \
        va_start(list, flags);         \
        mode = va_arg(list, mode_t);   \
        va_end(list);                  \
    }

typedef int (*opener)(int, const char *, int, ...);

static int watched_open(int directory, const char *name, int flags, mode_t mode, opener next) {
    struct disk_path path;
    if (!disk_is_named(directory, name, &path)) return next(directory, name, flags, mode);
    disk_begin();
    struct stat before, after;
    int was_there = fstatat(directory, name, &before, 0) == 0;
    int truncates = was_there && (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY;
    enum disk_operation operation = truncates ? DISK_TRUNCATE
        : (flags & O_CREAT) && !was_there     ? DISK_CREATE
                                              : DISK_LOOK;
    int file = -1;
    int error = disk_decide(operation, NULL);
    if (error) {
        errno = error;
    } else {
        file = next(directory, name, flags, mode);
    }
    if (file >= 0 && fstat(file, &after) == 0) {
        if ((flags & O_TMPFILE) == O_TMPFILE)
            disk_record(DISK_ESCAPE, 0, 0, 0, 0, "a file without a name", NULL, NULL);
        else if (operation == DISK_CREATE)
            disk_record(DISK_CREATE, 0, after.st_ino, 0, 0, path.text, NULL, NULL);
        else if (truncates && before.st_size > 0)
            disk_record(DISK_TRUNCATE, 0, after.st_ino, 0, 0, NULL, NULL, NULL);
        disk_end_within();
    }
    disk_end();
    return file;
}

#define OPENAT(name)                                             \
    int name(int directory, const char *path, int flags, ...) {  \
        MODE(mode, flags)                                        \
        NEXT_OR_FAIL(name)                                       \
        if (IS_UNWATCHED) return next(directory, path, flags, mode); \
        return watched_open(directory, path, flags, mode, next); \
    }

OPENAT(openat)
OPENAT(openat64)

#define OPEN(name, at)                                        \
    int name(const char *path, int flags, ...) {              \
        MODE(mode, flags)                                     \
        NEXT_OR_FAIL(name)                                    \
        if (IS_UNWATCHED) return next(path, flags, mode);     \
        return at(AT_FDCWD, path, flags, mode);               \
    }

OPEN(open, openat)
OPEN(open64, openat64)

#define CREAT(name, open)                                    \
    int name(const char *path, mode_t mode) {                \
        return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); \
    }

CREAT(creat, open)
CREAT(creat64, open64)

/// Records a file made by a call that is not observed.
static void was_made(int file) {
    struct disk_path path;
    struct stat status;
    if (file < 0 || IS_UNWATCHED || !disk_is_watched(file, &path, &status)) return;
    disk_begin();
    disk_record(DISK_CREATE, 0, status.st_ino, 0, 0, path.text, NULL, NULL);
    disk_end();
}

#define MKSTEMP(name)              \
    int name(char *template) {     \
        NEXT_OR_FAIL(name)         \
        int file = next(template); \
        was_made(file);            \
        return file;               \
    }

MKSTEMP(mkstemp)
MKSTEMP(mkstemp64)

#define MKSTEMP_WITH(name)                 \
    int name(char *template, int more) {   \
        NEXT_OR_FAIL(name)                 \
        int file = next(template, more);   \
        was_made(file);                    \
        return file;                       \
    }

MKSTEMP_WITH(mkostemp)
MKSTEMP_WITH(mkostemp64)
MKSTEMP_WITH(mkstemps)
MKSTEMP_WITH(mkstemps64)

static int only_reads(const char *mode) { return mode[0] == 'r' && !strchr(mode, '+'); }

/// Traffic through a stream is not observed: the file is there, and empty.
static FILE *with_stream(FILE *stream, int was_there) {
    struct disk_path path;
    struct stat status;
    if (!stream || !disk_is_watched(fileno(stream), &path, &status)) return stream;
    disk_begin();
    if (!was_there) disk_record(DISK_CREATE, 0, status.st_ino, 0, 0, path.text, NULL, NULL);
    disk_record(DISK_STREAM, 0, status.st_ino, 0, 0, path.text, NULL, NULL);
    disk_end();
    return stream;
}

#define FOPEN(name)                                                  \
    FILE *name(const char *path, const char *mode) {                 \
        NEXT(name);                                                  \
        if (!next) return NULL;                                      \
        if (IS_UNWATCHED || only_reads(mode)) return next(path, mode); \
        struct stat status;                                          \
        int was_there = fstatat(AT_FDCWD, path, &status, 0) == 0;    \
        return with_stream(next(path, mode), was_there);             \
    }

FOPEN(fopen)
FOPEN(fopen64)

FILE *fdopen(int file, const char *mode) {
    NEXT(fdopen);
    if (!next) return NULL;
    if (IS_UNWATCHED || only_reads(mode)) return next(file, mode);
    return with_stream(next(file, mode), 1);
}

// MARK: - Writing

/// Writes at an offset, or at the current position if the offset is -1.
static ssize_t watched_write(int file, const void *bytes, size_t length, off64_t at) {
    static __typeof__(write) *_Atomic next_write;
    static __typeof__(pwrite64) *_Atomic next_pwrite;
    if (!next_write) next_write = (__typeof__(write) *)dlsym(RTLD_NEXT, "write");
    if (!next_pwrite) next_pwrite = (__typeof__(pwrite64) *)dlsym(RTLD_NEXT, "pwrite64");
    struct disk_path path;
    struct stat status;
    int is_watched = !IS_UNWATCHED && disk_is_watched(file, &path, &status);
    if (!is_watched)
        return at < 0 ? next_write(file, bytes, length) : next_pwrite(file, bytes, length, at);
    disk_begin();
    // Another thread may have written since.
    off64_t offset = at;
    int flags = fcntl(file, F_GETFL);
    if (flags >= 0 && (flags & O_APPEND) && fstat(file, &status) == 0) offset = status.st_size;
    else if (at < 0) offset = lseek64(file, 0, SEEK_CUR);
    size_t part = length;
    ssize_t count = -1;
    int error = disk_decide(DISK_WRITE, &part);
    if (error) errno = error;
    else count = at < 0 ? next_write(file, bytes, part) : next_pwrite(file, bytes, part, at);
    if (count > 0) {
        disk_record(
            DISK_WRITE, 0, status.st_ino, (uint64_t)offset, (uint64_t)count, NULL, NULL, bytes);
        if (flags >= 0 && (flags & (O_DSYNC | O_SYNC)))
            disk_record(
                DISK_SYNC_RANGE, 0, status.st_ino, (uint64_t)offset, (uint64_t)count, NULL, NULL,
                NULL);
        disk_end_within();
    }
    disk_end();
    return count;
}

ssize_t write(int file, const void *bytes, size_t length) {
    return watched_write(file, bytes, length, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return watched_write(file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    return watched_write(file, bytes, length, offset);
}

/// Writes the parts as one.
static ssize_t watched_writev(int file, const struct iovec *parts, int count, off64_t at) {
    size_t length = 0;
    for (int index = 0; index < count; index++) length += parts[index].iov_len;
    char *whole = malloc(length + 1);
    if (!whole) return -1;
    size_t end = 0;
    for (int index = 0; index < count; index++) {
        memcpy(whole + end, parts[index].iov_base, parts[index].iov_len);
        end += parts[index].iov_len;
    }
    ssize_t result = watched_write(file, whole, length, at);
    int error = errno;
    free(whole);
    errno = error;
    return result;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    NEXT_OR_FAIL(writev)
    if (IS_UNWATCHED) return next(file, parts, count);
    return watched_writev(file, parts, count, -1);
}

#define PWRITEV(name, offset_type)                                                    \
    ssize_t name(int file, const struct iovec *parts, int count, offset_type offset) { \
        NEXT_OR_FAIL(name)                                                            \
        if (IS_UNWATCHED) return next(file, parts, count, offset);                    \
        return watched_writev(file, parts, count, offset);                            \
    }

PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

// MARK: - Reading

/// Fails a read if that fault is injected.
static int fails_to_read(int file, size_t *length) {
    struct disk_path path;
    struct stat status;
    if (IS_UNWATCHED || !disk_is_watched(file, &path, &status)) return 0;
    if (!S_ISREG(status.st_mode)) return 0;
    disk_begin();
    int error = disk_decide(DISK_READ, length);
    disk_end();
    if (error) errno = error;
    return error;
}

ssize_t read(int file, void *bytes, size_t length) {
    NEXT_OR_FAIL(read)
    if (fails_to_read(file, &length)) return -1;
    return next(file, bytes, length);
}

#define PREAD(name, offset_type)                                            \
    ssize_t name(int file, void *bytes, size_t length, offset_type offset) { \
        NEXT_OR_FAIL(name)                                                  \
        if (fails_to_read(file, &length)) return -1;                        \
        return next(file, bytes, length, offset);                           \
    }

PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t readv(int file, const struct iovec *parts, int count) {
    NEXT_OR_FAIL(readv)
    if (fails_to_read(file, NULL)) return -1;
    return next(file, parts, count);
}

#define PREADV(name, offset_type)                                                      \
    ssize_t name(int file, const struct iovec *parts, int count, offset_type offset) { \
        NEXT_OR_FAIL(name)                                                             \
        if (fails_to_read(file, NULL)) return -1;                                      \
        return next(file, parts, count, offset);                                       \
    }

PREADV(preadv, off_t)
PREADV(preadv64, off64_t)

// MARK: - Sizes

static int watched_truncate(int file, off64_t length) {
    static __typeof__(ftruncate64) *_Atomic next;
    if (!next) next = (__typeof__(ftruncate64) *)dlsym(RTLD_NEXT, "ftruncate64");
    struct disk_path path;
    struct stat status;
    if (IS_UNWATCHED || !disk_is_watched(file, &path, &status)) return next(file, length);
    disk_begin();
    int result = -1;
    int error = disk_decide(DISK_TRUNCATE, NULL);
    if (error) errno = error;
    else result = next(file, length);
    if (result == 0) {
        disk_record(
            DISK_TRUNCATE, 0, status.st_ino, 0, (uint64_t)length, NULL, NULL, NULL);
        disk_end_within();
    }
    disk_end();
    return result;
}

int ftruncate(int file, off_t length) { return watched_truncate(file, length); }
int ftruncate64(int file, off64_t length) { return watched_truncate(file, length); }

#define TRUNCATE(name, offset_type)                                  \
    int name(const char *path, offset_type length) {                 \
        NEXT_OR_FAIL(name)                                           \
        struct disk_path full;                                       \
        if (IS_UNWATCHED || !disk_is_named(AT_FDCWD, path, &full))   \
            return next(path, length);                               \
        int file = open64(path, O_WRONLY | O_CLOEXEC);               \
        if (file < 0) return -1;                                     \
        int result = watched_truncate(file, length);                 \
        int error = errno;                                           \
        close(file);                                                 \
        errno = error;                                               \
        return result;                                               \
    }

TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

/// Makes space after the end a part of the file.
static int watched_fallocate(int file, int mode, off64_t offset, off64_t length) {
    static __typeof__(fallocate64) *_Atomic next;
    if (!next) next = (__typeof__(fallocate64) *)dlsym(RTLD_NEXT, "fallocate64");
    struct disk_path path;
    struct stat status;
    if (IS_UNWATCHED || !disk_is_watched(file, &path, &status))
        return next(file, mode, offset, length);
    disk_begin();
    int result = -1;
    int error = disk_decide(DISK_TRUNCATE, NULL);
    if (error) errno = error;
    else result = next(file, mode, offset, length);
    if (result == 0) {
        if (mode & ~FALLOC_FL_KEEP_SIZE)
            disk_record(DISK_ESCAPE, 0, 0, 0, 0, "fallocate with a hole", NULL, NULL);
        else if (mode == 0 && offset + length > status.st_size)
            disk_record(
                DISK_TRUNCATE, 0, status.st_ino, 0, (uint64_t)(offset + length), NULL, NULL,
                NULL);
        disk_end_within();
    }
    disk_end();
    return result;
}

int fallocate(int file, int mode, off_t offset, off_t length) {
    return watched_fallocate(file, mode, offset, length);
}

int fallocate64(int file, int mode, off64_t offset, off64_t length) {
    return watched_fallocate(file, mode, offset, length);
}

/// The C library writes in its own way where the file system cannot allocate space. That happens
/// within this call, where nothing is watched; the result is a longer file all the same.
#define POSIX_FALLOCATE(name, offset_type)                                                 \
    int name(int file, offset_type offset, offset_type length) {                           \
        NEXT(name);                                                                        \
        if (!next) return ENOSYS;                                                          \
        struct disk_path path;                                                             \
        struct stat status;                                                                \
        if (IS_UNWATCHED || !disk_is_watched(file, &path, &status))                        \
            return next(file, offset, length);                                             \
        disk_begin();                                                                      \
        int error = disk_decide(DISK_TRUNCATE, NULL);                                      \
        if (!error) error = next(file, offset, length);                                    \
        if (!error) {                                                                      \
            if (offset + length > status.st_size)                                          \
                disk_record(                                                               \
                    DISK_TRUNCATE, 0, status.st_ino, 0, (uint64_t)(offset + length), NULL, \
                    NULL, NULL);                                                           \
            disk_end_within();                                                             \
        }                                                                                  \
        disk_end();                                                                        \
        return error;                                                                      \
    }

POSIX_FALLOCATE(posix_fallocate, off_t)
POSIX_FALLOCATE(posix_fallocate64, off64_t)

// MARK: - What cannot be followed

static void escapes(int file, const char *how) {
    struct disk_path path;
    struct stat status;
    if (IS_UNWATCHED || !disk_is_watched(file, &path, &status)) return;
    disk_begin();
    disk_record(DISK_ESCAPE, 0, status.st_ino, 0, 0, how, NULL, NULL);
    disk_end();
}

#define MMAP(name, offset_type)                                                           \
    void *name(                                                                           \
        void *address, size_t length, int protection, int flags, int file,                \
        offset_type offset) {                                                             \
        NEXT(name);                                                                       \
        if (!next) {                                                                      \
            errno = ENOSYS;                                                               \
            return MAP_FAILED;                                                            \
        }                                                                                 \
        if ((protection & PROT_WRITE) && (flags & MAP_TYPE) != MAP_PRIVATE && file >= 0)  \
            escapes(file, "a shared mapping that can be written");                        \
        return next(address, length, protection, flags, file, offset);                    \
    }

MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

ssize_t copy_file_range(
    int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length,
    unsigned int flags) {
    NEXT_OR_FAIL(copy_file_range)
    escapes(to, "copy_file_range");
    return next(from, from_offset, to, to_offset, length, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
    NEXT_OR_FAIL(sendfile)
    escapes(to, "sendfile");
    return next(to, from, offset, length);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
    NEXT_OR_FAIL(sendfile64)
    escapes(to, "sendfile");
    return next(to, from, offset, length);
}

#endif
