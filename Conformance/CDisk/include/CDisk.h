// What a process does to a disk: its calls are counted, recorded in their true order, failed, or
// ended. On Linux with glibc; elsewhere nothing is watched, and disk_is_watchable reports 0.

#ifndef C_DISK_H
#define C_DISK_H

#include <stddef.h>
#include <stdint.h>

/// Of the C library, which shows it to Swift nowhere.
void *memmem(const void *bytes, size_t count, const void *wanted, size_t length);

/// Returns 1 if the calls of all libraries of the process can be watched, or 0.
int disk_is_watchable(void);

/// Returns how many calls of fsync, fdatasync, msync with MS_SYNC, sync_file_range, syncfs, and
/// sync this process has made without failure so far; always 0 if they cannot be counted.
unsigned long disk_sync_count(void);

/// An operation. Numbers of files and directories are those of the file system.
enum disk_operation {
    DISK_WATCH = 0,           // the beginning: path and the directory that it lies in
    DISK_CREATE = 1,          // a file: path, node
    DISK_WRITE = 2,           // node, offset, bytes
    DISK_TRUNCATE = 3,        // node, length
    DISK_RENAME = 4,          // path, other path, node; what had the other name is replaced
    DISK_LINK = 5,            // path, other path, node
    DISK_UNLINK = 6,          // path, node
    DISK_MAKE_DIRECTORY = 7,  // path, node
    DISK_REMOVE_DIRECTORY = 8,  // path, node
    DISK_SYNC = 9,            // a file: node; offset 1 if by fdatasync
    DISK_SYNC_DIRECTORY = 10,  // path, node
    DISK_SYNC_ALL = 11,
    DISK_NOTE = 12,           // a number of the program's own
    DISK_ESCAPE = 13,         // path: what cannot be followed, in words
    DISK_STREAM = 14,         // path, node: what goes through a stream is not followed
    DISK_SYNC_RANGE = 16,     // what a write with O_DSYNC or O_SYNC does after it: node, offset, length
    DISK_LOOK = 15,           // never recorded: open, stat and readdir of what is there
    DISK_READ = 17,           // never recorded: of what is in a file
};

/// A record of the trace, in the byte order of the machine. The path, the other path, and the
/// `length` bytes of a write follow.
struct disk_record {
    uint32_t operation;
    /// 0, or the error number with which the call failed or, if it lied, should have failed. Only
    /// syncs are recorded when they fail.
    int32_t error;
    uint64_t node;
    uint64_t offset;
    uint64_t length;
    uint32_t path_length;
    uint32_t other_length;
};

/// Records what happens to a path and below it, and syncs of its parent directory, in a file that
/// is open for writing.
///
/// Returns 0 or an error number. The path need not exist, but its parent directory must.
int disk_watch(const char *path, int trace);

/// Adds a number to the trace.
void disk_note(uint64_t number);

/// A fault to inject into an operation on the watched path.
enum disk_effect {
    DISK_KILL_BEFORE = 1,
    /// Ends the process after half of a write, or after any other operation.
    DISK_KILL_WITHIN = 2,
    DISK_FAIL = 3,
    /// Writes only half.
    DISK_SHORTEN = 4,
    /// Cuts off the whole file system, as a power cut would, and ends the process. Only the
    /// superuser can do this; it affects everything on that file system.
    DISK_CUT_OFF = 5,
    /// A sync reports success but does nothing; what it should have written is lost, as after a
    /// failed sync. Other operations do not lie.
    DISK_LIE = 6,
};

/// Ends the process or fails its call at the `at`th operation from now, counted from 1, among those
/// with bits (1 << operation) in `operations`.
void disk_inject(uint32_t operations, uint64_t at, enum disk_effect effect, int error, int forever);

/// Releases the locks that this process has on the directory with this path. Returns how many descriptors of it
/// there are.
int disk_release_locks(const char *path);

/// Returns the number of such operations since disk_inject.
uint64_t disk_injected_count(void);

#endif
