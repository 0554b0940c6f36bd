#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <fcntl.h>
#include <sqlite3.h>

/// Flags of `open(2)`, so that the backend needs no C library module of its own.
static const int CSQLITE_READ = O_RDONLY;
static const int CSQLITE_NEW = O_RDWR | O_CREAT | O_EXCL;

#endif
