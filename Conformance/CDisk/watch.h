// Declarations that the parts of CDisk share.

#ifndef C_DISK_WATCH_H
#define C_DISK_WATCH_H

#define _GNU_SOURCE

#include "CDisk.h"

#include <limits.h>  // Says which C library it is.

#if defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The next definition of a function after this one, in the C library. A call of it fails if there
/// is none.
#define NEXT(name)                         \
    static __typeof__(name) *_Atomic next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/// Returns a failure if the C library has no such function.
#define NEXT_OR_FAIL(name) \
    NEXT(name);            \
    if (!next) {           \
        errno = ENOSYS;    \
        return -1;         \
    }

/// Whether anything is watched.
extern atomic_int disk_watching;

/// The operations with an injected fault, one bit each.
extern atomic_uint disk_doomed;

/// Whether this thread is within a watched call, with inner calls that are not recorded.
extern __thread int disk_inside;

/// Whether to pass a call on at once. For processes without a watch, this is the only cost.
#define IS_UNWATCHED \
    (!atomic_load_explicit(&disk_watching, memory_order_acquire) || disk_inside)

/// The same for an operation that no trace records, where only an injected fault matters.
#define IS_UNDOOMED(operation)                                             \
    (IS_UNWATCHED                                                          \
     || !(atomic_load_explicit(&disk_doomed, memory_order_acquire)         \
          & (UINT32_C(1) << (operation))))

/// A path according to the kernel; empty if it is not watched.
struct disk_path {
    char text[PATH_MAX];
};

/// Begins an operation. No other one begins before its end.
void disk_begin(void);
void disk_end(void);

/// Finds the path of an open file or directory, and whether it is watched.
int disk_is_watched(int file, struct disk_path *path, struct stat *status);

/// The same, or whether it is the parent directory. Only syncs of that matter: what else is done to it
/// depends on the neighbors of what is watched.
int disk_is_watched_or_parent(int file, struct disk_path *path, struct stat *status);

/// Finds the path that a call names, which may lack its last part, and whether it is watched.
int disk_is_named(int directory, const char *name, struct disk_path *path);

/// Decides what happens: returns 0 to continue, or an error number; `*length` may become smaller.
/// Does not return if the process is to end before the operation.
int disk_decide(enum disk_operation operation, size_t *length);

/// Whether the operation must report success, although it failed.
int disk_lies(void);

/// Ends the process if the injected fault is an end within the operation.
void disk_end_within(void);

/// Writes a record.
void disk_record(
    enum disk_operation operation, int error, uint64_t node, uint64_t offset, uint64_t length,
    const char *path, const char *other, const void *bytes);

#endif

#endif
