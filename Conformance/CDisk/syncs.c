// Calls that make files durable.
//
// The dynamic linker finds a function in the program before the C library. The program and all its
// shared libraries therefore call the definitions in this file and the files beside it, each of
// which calls the library's own. A call that an engine makes past the C library is not observed.

#include "watch.h"

#include <sys/file.h>
#include <sys/stat.h>

#if defined(__GLIBC__)

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static atomic_ulong count;

unsigned long disk_sync_count(void) { return atomic_load(&count); }

static int counted(int result) {
    if (result == 0) atomic_fetch_add(&count, 1);
    return result;
}

typedef int (*sync_call)(int);

static int watched_sync(int file, int is_of_data, sync_call next) {
    struct disk_path path;
    struct stat status;
    if (IS_UNWATCHED || !disk_is_watched_or_parent(file, &path, &status))
        return counted(next(file));
    disk_begin();
    enum disk_operation operation =
        S_ISDIR(status.st_mode) ? DISK_SYNC_DIRECTORY : DISK_SYNC;
    int result = -1;
    int error = disk_decide(operation, NULL);
    if (error) errno = error;
    else result = next(file);
    if (result != 0 && !error) error = errno;
    disk_record(
        operation, error, status.st_ino, (uint64_t)is_of_data, 0, path.text, NULL, NULL);
    if (disk_lies()) result = 0;
    disk_end_within();
    disk_end();
    return counted(result);
}

int fsync(int file) {
    NEXT_OR_FAIL(fsync)
    return watched_sync(file, 0, next);
}

int fdatasync(int file) {
    NEXT_OR_FAIL(fdatasync)
    return watched_sync(file, 1, next);
}

static void record_all(int error) {
    if (IS_UNWATCHED) return;
    disk_begin();
    disk_record(DISK_SYNC_ALL, error, 0, 0, 0, NULL, NULL, NULL);
    disk_end();
}

int syncfs(int file) {
    NEXT_OR_FAIL(syncfs)
    int result = next(file);
    record_all(result == 0 ? 0 : errno);
    return counted(result);
}

void sync(void) {
    NEXT(sync);
    if (next) next();
    record_all(0);
    counted(0);
}

int msync(void *address, size_t length, int flags) {
    NEXT_OR_FAIL(msync)
    int result = next(address, length, flags);
    return (flags & MS_SYNC) ? counted(result) : result;
}

// This writes pages and no names. It makes nothing durable that a power cut is asked about, but a
// program that calls it tries to.
int sync_file_range(int file, off64_t offset, off64_t length, unsigned int flags) {
    NEXT_OR_FAIL(sync_file_range)
    return counted(next(file, offset, length, flags));
}

// A ring of the kernel does work that no call of the C library shows.
long syscall(long number, ...) {
    NEXT_OR_FAIL(syscall)
    va_list list;
    va_start(list, number);
    long arguments[6];
    for (int index = 0; index < 6; index++) arguments[index] = va_arg(list, long);
    va_end(list);
#ifdef SYS_io_uring_setup
    if (number == SYS_io_uring_setup && !IS_UNWATCHED) {
        disk_begin();
        disk_record(DISK_ESCAPE, 0, 0, 0, 0, "io_uring", NULL, NULL);
        disk_end();
    }
#endif
    return next(
        number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
        arguments[5]);
}

#endif

int disk_release_locks(const char *path) {
    struct stat place, found;
    int count = 0;
    if (stat(path, &place) != 0) return 0;
    for (int file = 3; file < 4096; file++)
        if (fstat(file, &found) == 0 && found.st_ino == place.st_ino && found.st_dev == place.st_dev
            && flock(file, LOCK_UN) == 0)
            count++;
    return count;
}
