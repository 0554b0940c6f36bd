#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli) of `length` bytes, continuing from `crc` (0 to begin).
/// Uses the processor's instruction where there is one.
uint32_t platform_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The same in portable code; for tests.
uint32_t platform_crc32c_portable(uint32_t crc, const void *bytes, size_t length);

/// Gives a file or directory a name that nothing has, in the same or another directory; 0 or -1 with
/// errno, EEXIST if something has it.
int platform_rename_new(int directory, const char *name, int other_directory, const char *other);

/// The name of the file system of an open file if it is one whose bytes are on another machine, where
/// locks and syncs mean little; else NULL.
const char *platform_remote_file_system(int descriptor);

/// Makes the file's bytes survive a power cut; 0 or -1 with errno.
int platform_sync_data(int descriptor);

/// As above, and the file's metadata: for directories.
int platform_sync_all(int descriptor);

/// The size of a file without a hole at its end, or -1 with errno; `bytes`, unless null, gets that without
/// any hole. Moves the file's position.
int64_t platform_written_size(int descriptor, int64_t *bytes);

/// Where the next bytes are that are in no hole, and in `end` where they end; -1 if there are none, or -2
/// with errno. Moves the file's position.
int64_t platform_next_written(int descriptor, int64_t offset, int64_t *end);

/// How many names a file or directory has, or -1 with errno. Leaves alone what the system does for whoever
/// asks for times: after that each write has to note a time of its own, which costs a sync a third more.
int64_t platform_link_count(int descriptor);

/// Whether a name is in a directory, in the same way: 1 or 0, or -1 with errno. A link is one.
int platform_has_name(int directory, const char *name);

/// Takes an exclusive lock without waiting, released with the descriptor; 0 or -1 with errno.
int platform_lock(int descriptor);

/// Releases the lock of platform_lock for all copies of the descriptor.
int platform_unlock(int descriptor);

/// Memory for `length` bytes of a secret, all zero, in pages of its own, which are left out of dumps and, if
/// the system allows it, of the swap. NULL without memory.
void *platform_secret_new(size_t length);

/// Copies a secret byte by byte: memcpy leaves it in a wide register, and code that saves the registers, as the dynamic
/// linker does at the first call of a function, leaves it on the stack.
void platform_secret_copy(void *target, const void *source, size_t length);

/// Overwrites and frees memory of platform_secret_new.
void platform_secret_free(void *memory, size_t length);

/// The value of errno.
int platform_errno(void);

/// Adds a key to the user's keyring in the kernel, which any process of the user may then find,
/// read and remove; its number, or -1 with errno. Without a keyring, here and below: ENOSYS.
long platform_key_add(const char *description, const void *payload, size_t length);

/// The number of a key in the user's keyring, or -1 with errno.
long platform_key_find(const char *description);

/// Reads up to `length` bytes of a key; how many it has, or -1 with errno.
long platform_key_read(long key, void *buffer, size_t length);

/// Destroys a key; 0 or -1 with errno.
int platform_key_remove(long key);

/// Lets the kernel destroy a key after some seconds; 0 or -1 with errno.
int platform_key_expire(long key, unsigned seconds);

/// Whether errno says that there is no such key any more.
int platform_key_is_absent(int number);

#endif
