#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

// Debian has it in a folder of its own.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#endif
