// What a process does to a disk: its calls counted, recorded in their true order, failed or ended
// at a given one. On Linux with glibc; elsewhere nothing is watched, and disk_is_watchable says so.

#ifndef C_DISK_H
#define C_DISK_H

#include <stdint.h>

/// Whether the calls of all libraries of the process can be watched: 1 or 0.
int disk_is_watchable(void);

/// The number of calls of fsync, fdatasync, msync with MS_SYNC, sync_file_range, syncfs and sync
/// that this process has made until now, and that did not fail; 0 for ever where they cannot be
/// counted.
unsigned long disk_sync_count(void);

/// What was done. Numbers of files and directories are those of the file system.
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

/// A record of the trace, in the byte order of the machine. Then follow the path, the other path,
/// and the bytes of a write, `length` of them.
struct disk_record {
    uint32_t operation;
    /// 0, or the error number with which the call failed or, if it lied, should have failed. Only syncs are
    /// recorded when they fail.
    int32_t error;
    uint64_t node;
    uint64_t offset;
    uint64_t length;
    uint32_t path_length;
    uint32_t other_length;
};

/// Records what happens to a path and below it, and syncs of the directory that it lies in, into a
/// file that is open for writing.
///
/// Returns 0, or an error number. The path need not be there; the directory that it lies in must.
int disk_watch(const char *path, int trace);

/// Adds a number to the trace.
void disk_note(uint64_t number);

/// What is to happen at an operation on the watched path.
enum disk_fate {
    DISK_KILL_BEFORE = 1,
    /// After half of a write, or after anything else.
    DISK_KILL_WITHIN = 2,
    DISK_FAIL = 3,
    /// Writes half of what it should.
    DISK_SHORTEN = 4,
    /// Cuts the whole file system off, as a power cut would, and ends the process. Only the superuser
    /// can; whatever else lies on that file system is cut off with it.
    DISK_CUT_OFF = 5,
    /// A sync says that it is done and does nothing; what it should have written is lost, as after one
    /// that fails. Of other operations none lies.
    DISK_LIE = 6,
};

/// Ends the process or fails its call at the `at`th operation from now, counted from 1, of those
/// whose bits (1 << operation) are in `operations`.
void disk_doom(uint32_t operations, uint64_t at, enum disk_fate fate, int error, int forever);

/// How many such operations there were since disk_doom.
uint64_t disk_doomed_count(void);

#endif
