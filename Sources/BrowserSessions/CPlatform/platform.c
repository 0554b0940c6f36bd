#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

int platform_errno(void) { return errno; }

int platform_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int platform_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

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
