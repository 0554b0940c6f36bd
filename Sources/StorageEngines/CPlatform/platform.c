#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#elif defined(__APPLE__)
#include <sys/mount.h>
#endif
#include <time.h>
#include <unistd.h>

int platform_errno(void) { return errno; }

static size_t whole_pages(size_t length) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return length == 0 ? page : (length + page - 1) / page * page;
}

void *platform_secret_new(size_t length) {
    size_t size = whole_pages(length);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    // Where the system does not allow one of these, the secret is as safe as other memory.
#if defined(MADV_DONTDUMP)
    (void)madvise(memory, size, MADV_DONTDUMP);
#endif
    (void)mlock(memory, size);
    return memory;
}

void platform_secret_copy(void *target, const void *source, size_t length) {
    volatile unsigned char *to = target;
    const volatile unsigned char *from = source;
    for (size_t index = 0; index < length; index++) to[index] = from[index];
}

void platform_secret_free(void *memory, size_t length) {
    size_t size = whole_pages(length);
    memset(memory, 0, size);
    // Makes the compiler assume that this is read.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
    munmap(memory, size);
}

int platform_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int platform_lock_shared(int descriptor) { return flock(descriptor, LOCK_SH | LOCK_NB); }

int platform_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

int platform_rename_new(int directory, const char *name, int other_directory, const char *other) {
#if defined(__APPLE__)
    return renameatx_np(directory, name, other_directory, other, RENAME_EXCL);
#else
#if defined(__GLIBC__)
    if (renameat2(directory, name, other_directory, other, RENAME_NOREPLACE) == 0) return 0;
    // Some file systems cannot do this.
    if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
    struct stat status;
    if (fstatat(other_directory, other, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(directory, name, other_directory, other);
#endif
}

#if defined(__linux__)
enum { FAT = 0x4D44, EXFAT = 0x2011BAB0, FUSE = 0x65735546 };

// Returns the kind of a file system that a program keeps, by the list of mounts; NULL unless it is over a network.
static const char *remote_kind(int descriptor) {
    static const char remote[] =
        " sshfs rclone s3fs gcsfuse goofys curlftpfs davfs davfs2 glusterfs ceph juicefs gvfsd-fuse kio-fuse smbnetfs"
        " vmhgfs-fuse hubicfuse google-drive-ocamlfuse onedriver mfs lizardfs seaweedfs beegfs virtiofs ";
    static _Thread_local char kind[64];
    char line[4096];
    unsigned higher, lower;
    struct stat status;
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    if (!mounts || fstat(descriptor, &status) != 0) return NULL;
    while (fgets(line, sizeof line, mounts)) {
        const char *rest = strstr(line, " - ");
        if (rest && sscanf(line, "%*d %*d %u:%u", &higher, &lower) == 2
            && makedev(higher, lower) == status.st_dev)
            snprintf(kind, sizeof kind, " %.*s ", (int)strcspn(rest + 3, " "), rest + 3);
    }
    fclose(mounts);
    char *name = strncmp(kind, " fuse.", 6) == 0 ? memcpy(kind + 5, " ", 1) : kind;
    if (!*name || !strstr(remote, name)) return NULL;
    name[strlen(name) - 1] = 0;
    return name + 1;
}
#endif

const char *platform_remote_file_system(int descriptor) {
#if defined(__linux__)
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return NULL;
    // The kernel's numbers, from linux/magic.h; it does not publish some of them.
    switch ((uint32_t)status.f_type) {
    case 0x6969: return "NFS";
    case 0x517B: return "SMB";
    case 0xFF534D42: return "CIFS";
    case 0xFE534D42: return "SMB2";
    case 0x01021997: return "9P";
    case 0x5346414F: return "AFS";
    case 0x73757245: return "Coda";
    case 0x00C36400: return "Ceph";
    case 0x0BD00BD0: return "Lustre";
    case 0x01161970: return "GFS2";
    case 0x7461636F: return "OCFS2";
    case 0x47504653: return "GPFS";
    case 0x786F4256: return "VirtualBox";
    case FUSE: return remote_kind(descriptor);
    default: return NULL;
    }
#elif defined(__APPLE__)
    static _Thread_local struct statfs status;
    if (fstatfs(descriptor, &status) != 0 || (status.f_flags & MNT_LOCAL)) return NULL;
    return status.f_fstypename;
#else
    return NULL;
#endif
}

int64_t platform_link_count(int descriptor) {
#if defined(__linux__) && defined(STATX_NLINK)
    struct statx found;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_NLINK, &found) == 0) return found.stx_nlink;
    if (errno != ENOSYS) return -1;
#endif
    struct stat status;
    return fstat(descriptor, &status) == 0 ? (int64_t)status.st_nlink : -1;
}

int platform_has_name(int directory, const char *name) {
#if defined(__linux__) && defined(STATX_TYPE)
    struct statx found;
    if (statx(directory, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &found) == 0) return 1;
    if (errno != ENOSYS) return errno == ENOENT ? 0 : -1;
#endif
    struct stat status;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0) return 1;
    return errno == ENOENT ? 0 : -1;
}

int platform_stamp(int directory, const char *name, int timed, struct platform_stamp *stamp) {
#if defined(__linux__) && defined(STATX_CTIME)
    struct statx found;
    struct statfs system = {0};
    int flags = AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC;
    int fields = STATX_TYPE | STATX_INO | STATX_SIZE | (timed ? STATX_CTIME : 0);
    if (statx(directory, name, flags, fields, &found) == 0) {
        stamp->device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
        stamp->file = found.stx_ino;
        stamp->is_directory = S_ISDIR(found.stx_mode);
        stamp->size = (int64_t)found.stx_size;
        stamp->changed = timed ? found.stx_ctime.tv_sec * 1000000000 + found.stx_ctime.tv_nsec : 0;
        if (!timed && fstatfs(directory, &system) == 0
            && (system.f_type == FUSE || system.f_type == FAT || system.f_type == EXFAT))
            stamp->file = 0;
        return 1;
    }
    if (errno != ENOSYS) return errno == ENOENT ? 0 : -1;
#endif
    struct stat status;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT ? 0 : -1;
    *stamp = (struct platform_stamp){
        (uint64_t)status.st_dev, status.st_ino, status.st_size, status.st_ctime * 1000000000,
        S_ISDIR(status.st_mode) };
    return 1;
}

int64_t platform_file_time(void) {
#if defined(CLOCK_REALTIME_COARSE)
    const clockid_t files = CLOCK_REALTIME_COARSE;
#else
    const clockid_t files = CLOCK_REALTIME;
#endif
    struct timespec now;
    return clock_gettime(files, &now) == 0 ? now.tv_sec * 1000000000 + now.tv_nsec : 0;
}

int64_t platform_written_size(int descriptor, int64_t *bytes) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -1;
    off_t end = 0, holes = 0;
#if defined(SEEK_DATA) && defined(SEEK_HOLE)
    while (end < status.st_size) {
        off_t data = lseek(descriptor, end, SEEK_DATA);
        // Only a hole is left.
        if (data < 0 && errno == ENXIO) break;
        off_t hole = data < 0 ? -1 : lseek(descriptor, data, SEEK_HOLE);
        // The end is unknown.
        if (hole <= data) {
            end = status.st_size;
            break;
        }
        holes += data - end;
        end = hole;
    }
    if (end > status.st_size) end = status.st_size;
#else
    end = status.st_size;
#endif
    if (bytes) *bytes = end > holes ? end - holes : 0;
    return end;
}

int64_t platform_next_written(int descriptor, int64_t offset, int64_t *end) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -2;
    if (offset >= status.st_size) return -1;
    *end = status.st_size;
#if defined(SEEK_DATA) && defined(SEEK_HOLE)
    off_t data = lseek(descriptor, offset, SEEK_DATA);
    if (data < 0 && errno == ENXIO) return -1;
    off_t hole = data < 0 ? -1 : lseek(descriptor, data, SEEK_HOLE);
    if (hole > data) {
        *end = hole;
        return data;
    }
#endif
    return offset;
}

int platform_sync_data(int descriptor) {
#ifdef __APPLE__
    return fcntl(descriptor, F_FULLFSYNC) == -1 ? -1 : 0;
#else
    return fdatasync(descriptor);
#endif
}

void platform_begin_sync(int descriptor) {
#ifdef __linux__
    (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
#endif
}

int platform_sync_all(int descriptor) {
#ifdef __APPLE__
    return fcntl(descriptor, F_FULLFSYNC) == -1 ? -1 : 0;
#else
    return fsync(descriptor);
#endif
}

int platform_spawn_without(posix_spawn_file_actions_t *actions, int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
    int failure = 0;
#ifndef __APPLE__
    long end = sysconf(_SC_OPEN_MAX);
    for (int number = first; !failure && number < 4096 && number < end; number++)
        failure = posix_spawn_file_actions_addclose(actions, number);
#endif
    return failure;
#endif
}
