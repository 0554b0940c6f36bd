#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>

#ifdef __linux__

#include <sys/syscall.h>
#include <unistd.h>

// From linux/keyctl.h, so that no header beyond libc's is needed.
enum {
    USER_KEYRING = PLATFORM_USER_KEYRING,
    KEYCTL_REVOKE = 3,
    KEYCTL_SETPERM = 5,
    KEYCTL_DESCRIBE = 6,
    KEYCTL_UNLINK = 9,
    KEYCTL_SEARCH = 10,
    KEYCTL_READ = 11,
    KEYCTL_SET_TIMEOUT = 15,
};

// All rights for the possessor and for every process of the user, none for others.
#define KEY_PERMISSIONS 0x3f3f0000u

static const char key_type[] = "user";

long platform_key_add(const char *description, const void *payload, size_t length) {
    long key = syscall(SYS_add_key, key_type, description, payload, length, (long)USER_KEYRING);
    if (key < 0) return -1;
    if (syscall(SYS_keyctl, (long)KEYCTL_SETPERM, key, (unsigned long)KEY_PERMISSIONS) < 0) {
        int number = errno;
        platform_key_remove(key);
        errno = number;
        return -1;
    }
    return key;
}

long platform_key_find(const char *description) {
    return syscall(SYS_keyctl, (long)KEYCTL_SEARCH, (long)USER_KEYRING, key_type, description, 0L);
}

long platform_key_read(long key, void *buffer, size_t length) {
    return syscall(SYS_keyctl, (long)KEYCTL_READ, key, buffer, length);
}

long platform_key_describe(long key, char *buffer, size_t length) {
    return syscall(SYS_keyctl, (long)KEYCTL_DESCRIBE, key, buffer, length);
}

int platform_key_remove(long key) {
    // Revoking frees the payload, overwritten; unlinking gives the entry back.
    if (syscall(SYS_keyctl, (long)KEYCTL_REVOKE, key) < 0 && errno != EKEYREVOKED) return -1;
    return syscall(SYS_keyctl, (long)KEYCTL_UNLINK, key, (long)USER_KEYRING) < 0 ? -1 : 0;
}

int platform_key_expire(long key, unsigned seconds) {
    return syscall(SYS_keyctl, (long)KEYCTL_SET_TIMEOUT, key, (unsigned long)seconds) < 0 ? -1 : 0;
}

int platform_key_is_absent(int number) {
    return number == ENOKEY || number == EKEYREVOKED || number == EKEYEXPIRED;
}

#else

long platform_key_add(const char *description, const void *payload, size_t length) {
    (void)description, (void)payload, (void)length;
    errno = ENOSYS;
    return -1;
}

long platform_key_find(const char *description) {
    (void)description;
    errno = ENOSYS;
    return -1;
}

long platform_key_read(long key, void *buffer, size_t length) {
    (void)key, (void)buffer, (void)length;
    errno = ENOSYS;
    return -1;
}

long platform_key_describe(long key, char *buffer, size_t length) {
    (void)key, (void)buffer, (void)length;
    errno = ENOSYS;
    return -1;
}

int platform_key_remove(long key) {
    (void)key;
    errno = ENOSYS;
    return -1;
}

int platform_key_expire(long key, unsigned seconds) {
    (void)key, (void)seconds;
    errno = ENOSYS;
    return -1;
}

int platform_key_is_absent(int number) {
    (void)number;
    return 0;
}

#endif
