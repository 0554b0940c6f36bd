#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>

/// Returns the CRC-32C (Castagnoli) of `length` bytes, continuing from `crc` (0 to begin). Uses the
/// processor's instruction where there is one.
uint32_t platform_crc32c(uint32_t crc, const void *bytes, size_t length);

/// Returns the same in portable code; for tests.
uint32_t platform_crc32c_portable(uint32_t crc, const void *bytes, size_t length);

/// Gives a file or directory an unused name, in the same or another directory. Returns 0, or -1
/// with errno (EEXIST if the name is taken).
int platform_rename_new(int directory, const char *name, int other_directory, const char *other);

/// Returns the name of an open file's file system if its bytes are on another machine, where locks
/// and syncs mean little; otherwise NULL.
const char *platform_remote_file_system(int descriptor);

/// Makes the file's bytes survive a power cut. Returns 0, or -1 with errno.
int platform_sync_data(int descriptor);

/// Asks the system to begin with what platform_sync_data waits for; does nothing where it has no such call.
void platform_begin_sync(int descriptor);

/// Like platform_sync_data, and for the file's metadata too: for directories.
int platform_sync_all(int descriptor);

/// Returns the size of a file without a hole at its end, or -1 with errno. `bytes`, unless null,
/// receives the size without any hole. Moves the file's position.
int64_t platform_written_size(int descriptor, int64_t *bytes);

/// Returns where the next bytes outside a hole begin, and in `end` where they end; -1 if there are
/// none, or -2 with errno. Moves the file's position.
int64_t platform_next_written(int descriptor, int64_t offset, int64_t *end);

/// Returns how many names a file or directory has, or -1 with errno. Does not read the file's
/// times: after that, each write must note a time of its own, which makes a sync cost a third more.
int64_t platform_link_count(int descriptor);

/// Returns 1 if a directory has a name (a link counts), 0 if not, or -1 with errno. Reads no times.
int platform_has_name(int directory, const char *name);

/// What platform_stamp says of a file: the numbers of its file system and of the file in it, its size, and when
/// its content, rights or names last changed, in nanoseconds; and whether it is a directory.
struct platform_stamp {
    uint64_t device, file;
    int64_t size, changed;
    int is_directory;
};

/// Examines a name in a directory ("." is the directory), and asks servers and other programs that keep the file
/// system for what is true now. Without `timed` the times are not read: see platform_link_count; and the file has the
/// number 0 where numbers last only as long as it is open. Returns 1, 0 if nothing has the name, or -1 with errno.
int platform_stamp(int directory, const char *name, int timed, struct platform_stamp *stamp);

/// Returns the time that a file of this machine would get for a change now, in nanoseconds since 1970. It stands
/// still between two ticks of the system.
int64_t platform_file_time(void);

/// Takes an exclusive lock without waiting; it ends with the descriptor. Returns 0, or -1 with
/// errno.
int platform_lock(int descriptor);

/// The same for a lock that several can have, as long as no one has the exclusive one.
int platform_lock_shared(int descriptor);

/// Releases the lock of platform_lock or platform_lock_shared for all copies of the descriptor.
int platform_unlock(int descriptor);

/// Returns zeroed memory for a secret of `length` bytes, or NULL without memory. Its pages are its
/// own, left out of dumps and, if the system allows it, of the swap.
void *platform_secret_new(size_t length);

/// Copies a secret byte by byte: memcpy leaves it in a wide register, and code that saves
/// registers, as the dynamic linker does at the first call of a function, leaves it on the stack.
void platform_secret_copy(void *target, const void *source, size_t length);

/// Overwrites and frees memory of platform_secret_new.
void platform_secret_free(void *memory, size_t length);

/// Returns the value of errno.
int platform_errno(void);

/// Makes a started process close every descriptor from `first` on, even one that another thread
/// opens meanwhile. Does nothing on Apple platforms. Returns 0, or an error number.
int platform_spawn_without(posix_spawn_file_actions_t *actions, int first);

/// Adds a key to the user's keyring in the kernel, for any process of the user. Returns its number,
/// or -1 with errno. Without a keyring, all key functions fail with ENOSYS.
long platform_key_add(const char *description, const void *payload, size_t length);

/// Returns the number of a key in the user's keyring, or -1 with errno.
long platform_key_find(const char *description);

/// Reads up to `length` bytes of a key. Returns how many it has, or -1 with errno.
long platform_key_read(long key, void *buffer, size_t length);

/// The user's keyring as a key: it reads as the numbers of the keys in it, four bytes each.
enum { PLATFORM_USER_KEYRING = -4 };

/// Reads a key's description, as in `type;uid;gid;permissions;name`, with the zero at its end; nothing if it
/// is longer than `length`. Returns how many bytes it has, or -1 with errno.
long platform_key_describe(long key, char *buffer, size_t length);

/// Destroys a key. Returns 0, or -1 with errno.
int platform_key_remove(long key);

/// Makes the kernel destroy a key after some seconds. Returns 0, or -1 with errno.
int platform_key_expire(long key, unsigned seconds);

/// Returns whether errno says that the key does not exist any more.
int platform_key_is_absent(int number);

#endif
