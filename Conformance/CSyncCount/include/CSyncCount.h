// Counts the calls with which a process makes its files durable.

#ifndef C_SYNC_COUNT_H
#define C_SYNC_COUNT_H

/// The number of calls of fsync, fdatasync, msync with MS_SYNC, sync_file_range, syncfs and sync
/// that this process has made until now, and that did not fail; 0 for ever where they cannot be
/// counted.
unsigned long sync_count(void);

/// Whether the calls of all libraries of the process are counted: 1 or 0.
int sync_count_is_kept(void);

#endif
