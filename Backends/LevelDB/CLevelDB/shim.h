#ifndef CLEVELDB_SHIM_H
#define CLEVELDB_SHIM_H

#include <leveldb/c.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/// LevelDB makes files that everybody may read; this takes that back. 0 or -1.
static inline int cleveldb_make_private(const char *path) { return chmod(path, 0600); }

/// Whether bytes begin with others; a scan asks it for every record.
static inline bool cleveldb_begins(
    const void *bytes, size_t count, const void *prefix, size_t prefix_count) {
    if (prefix_count == 0) return true;
    return count >= prefix_count && memcmp(bytes, prefix, prefix_count) == 0;
}

#endif
