// The dynamic linker looks for a function in the program before it looks in the C library, so that
// these definitions are the ones that the program and all of its shared libraries call. Each calls
// the library's own. A call that an engine makes past the C library is not seen.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CSyncCount.h"

#include <limits.h>  // Tells of the C library.

#if defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_ulong count;

/// The next definition of a function after this one; a call of it fails if there is none.
#define NEXT(name)                          \
    static __typeof__(name) *_Atomic next;  \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int counted(int result) {
    if (result == 0) atomic_fetch_add(&count, 1);
    return result;
}

int fsync(int file) {
    NEXT(fsync);
    if (next) return counted(next(file));
    errno = ENOSYS;
    return -1;
}

int fdatasync(int file) {
    NEXT(fdatasync);
    if (next) return counted(next(file));
    errno = ENOSYS;
    return -1;
}

int syncfs(int file) {
    NEXT(syncfs);
    if (next) return counted(next(file));
    errno = ENOSYS;
    return -1;
}

int msync(void *address, size_t length, int flags) {
    NEXT(msync);
    if (!next) {
        errno = ENOSYS;
        return -1;
    }
    int result = next(address, length, flags);
    return (flags & MS_SYNC) ? counted(result) : result;
}

int sync_file_range(int file, off64_t offset, off64_t length, unsigned int flags) {
    NEXT(sync_file_range);
    if (next) return counted(next(file, offset, length, flags));
    errno = ENOSYS;
    return -1;
}

void sync(void) {
    NEXT(sync);
    if (next) next();
    atomic_fetch_add(&count, 1);
}

unsigned long sync_count(void) { return atomic_load(&count); }

int sync_count_is_kept(void) {
    // What a shared library would get when it asks for the function.
    return dlsym(RTLD_DEFAULT, "fdatasync") == (void *)fdatasync;
}

#else

unsigned long sync_count(void) { return 0; }

int sync_count_is_kept(void) { return 0; }

#endif
