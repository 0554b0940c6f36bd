#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int platform_errno(void) { return errno; }

int platform_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int platform_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

int platform_rename_new(const char *path, const char *other) {
#if defined(__APPLE__)
    return renamex_np(path, other, RENAME_EXCL);
#else
#if defined(__GLIBC__)
    if (renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_NOREPLACE) == 0) return 0;
    // Some file systems cannot.
    if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
    struct stat status;
    if (lstat(other, &status) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(path, other);
#endif
}

int platform_sync_data(int descriptor) {
#ifdef __APPLE__
    return fcntl(descriptor, F_FULLFSYNC) == -1 ? -1 : 0;
#else
    return fdatasync(descriptor);
#endif
}

int platform_sync_all(int descriptor) {
#ifdef __APPLE__
    return fcntl(descriptor, F_FULLFSYNC) == -1 ? -1 : 0;
#else
    return fsync(descriptor);
#endif
}
