// The state of the watch: what is watched, the trace, and the faults to inject.

#include "watch.h"

#if defined(__GLIBC__)

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>

atomic_int disk_watching;
atomic_uint disk_doomed;
__thread int disk_inside;

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char watched[PATH_MAX];
static char parent[PATH_MAX];
static int trace = -1;

static struct {
    uint64_t at;
    enum disk_effect effect;
    int error;
    int forever;
    uint64_t count;
    int is_now;
    int lies;
} fault;

int disk_is_watchable(void) {
    // The definition that a shared library would get.
    return dlsym(RTLD_DEFAULT, "fdatasync") == (void *)fdatasync
        && dlsym(RTLD_DEFAULT, "pwrite64") == (void *)pwrite64
        && dlsym(RTLD_DEFAULT, "write") == (void *)write
        && dlsym(RTLD_DEFAULT, "open64") == (void *)open64
        && dlsym(RTLD_DEFAULT, "rename") == (void *)rename
        && dlsym(RTLD_DEFAULT, "unlink") == (void *)unlink;
}

/// Returns the path of an open file or directory, according to the kernel.
static int path_of(int file, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return -1;
    path[length] = 0;
    return 0;
}

int disk_watch(const char *path, int file) {
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    char *slash = strrchr(copy, '/');
    if (!slash || slash == copy || !slash[1]) return EINVAL;
    *slash = 0;
    int directory = openat(AT_FDCWD, copy, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return errno;
    int result = path_of(directory, parent);
    close(directory);
    if (result < 0) return errno;
    if (snprintf(watched, sizeof watched, "%s/%s", parent, slash + 1) >= PATH_MAX)
        return ENAMETOOLONG;
    trace = file;
    disk_record(DISK_WATCH, 0, 0, 0, 0, watched, parent, NULL);
    atomic_store(&disk_watching, 1);
    return 0;
}

static int is_below(const char *path) {
    size_t length = strlen(watched);
    return strncmp(path, watched, length) == 0 && (path[length] == 0 || path[length] == '/');
}

static int is_watched(int file, int is_parent, struct disk_path *path, struct stat *status) {
    int error = errno;
    disk_inside += 1;
    int result = path_of(file, path->text) == 0
        && (is_below(path->text) || (is_parent && strcmp(path->text, parent) == 0))
        && fstat(file, status) == 0
        && (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode));
    disk_inside -= 1;
    errno = error;
    return result;
}

int disk_is_watched(int file, struct disk_path *path, struct stat *status) {
    return is_watched(file, 0, path, status);
}

int disk_is_watched_or_parent(int file, struct disk_path *path, struct stat *status) {
    return is_watched(file, 1, path, status);
}

int disk_is_named(int directory, const char *name, struct disk_path *path) {
    int error = errno;
    disk_inside += 1;
    char before[PATH_MAX];
    int result = 0;
    if (snprintf(before, sizeof before, "%s", name) < PATH_MAX) {
        size_t length = strlen(before);
        while (length > 1 && before[length - 1] == '/') before[--length] = 0;
        char *slash = strrchr(before, '/');
        const char *last = slash ? slash + 1 : before;
        const char *place = slash == before ? "/" : ".";
        char name_copy[NAME_MAX + 1];
        snprintf(name_copy, sizeof name_copy, "%s", last);
        if (slash && slash != before) {
            *slash = 0;
            place = before;
        }
        int parent_file = openat(directory, place, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (parent_file >= 0) {
            char found[PATH_MAX];
            result = path_of(parent_file, found) == 0
                && snprintf(path->text, PATH_MAX, "%s/%s", found, name_copy) < PATH_MAX
                && is_below(path->text);
            close(parent_file);
        }
    }
    disk_inside -= 1;
    errno = error;
    return result;
}

void disk_begin(void) {
    pthread_mutex_lock(&order);
    disk_inside += 1;
}

void disk_end(void) {
    disk_inside -= 1;
    pthread_mutex_unlock(&order);
}

static void end_process(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/// Asks the kernel to forget what is not on the medium, including its journal.
static void cut_off(void) {
    uint32_t without_log = 2;
    int file = openat(AT_FDCWD, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // FS_IOC_SHUTDOWN of ext4, XFS and F2FS.
    if (file < 0 || ioctl(file, _IOR('X', 125, uint32_t), &without_log) < 0) abort();
}

int disk_decide(enum disk_operation operation, size_t *length) {
    fault.is_now = fault.lies = 0;
    if (!(atomic_load(&disk_doomed) & (UINT32_C(1) << operation))) return 0;
    fault.count += 1;
    if (fault.count != fault.at && !(fault.forever && fault.count > fault.at)) return 0;
    switch (fault.effect) {
    case DISK_KILL_BEFORE: end_process();
    case DISK_KILL_WITHIN:
        if (length) *length = (*length + 1) / 2;
        fault.is_now = 1;
        return 0;
    case DISK_SHORTEN:
        if (length) *length = (*length + 1) / 2;
        return 0;
    case DISK_CUT_OFF: cut_off(); end_process();
    case DISK_FAIL: return fault.error;
    case DISK_LIE: fault.lies = 1; return fault.error;
    }
    return 0;
}

int disk_lies(void) { return fault.lies; }

void disk_end_within(void) {
    if (fault.is_now) end_process();
}

static int write_all(const void *bytes, size_t length) {
    const char *rest = bytes;
    while (length > 0) {
        ssize_t count = write(trace, rest, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return -1;
        rest += count;
        length -= (size_t)count;
    }
    return 0;
}

void disk_record(
    enum disk_operation operation, int error, uint64_t node, uint64_t offset, uint64_t length,
    const char *path, const char *other, const void *bytes) {
    if (trace < 0) return;
    int before = errno;
    struct disk_record record = {
        .operation = operation,
        .error = error,
        .node = node,
        .offset = offset,
        .length = length,
        .path_length = path ? (uint32_t)strlen(path) : 0,
        .other_length = other ? (uint32_t)strlen(other) : 0,
    };
    // A trace with a gap would be false.
    if (write_all(&record, sizeof record) || write_all(path, record.path_length)
        || write_all(other, record.other_length)
        || (operation == DISK_WRITE && write_all(bytes, length)))
        abort();
    errno = before;
}

void disk_note(uint64_t number) {
    if (!atomic_load(&disk_watching)) return;
    disk_begin();
    disk_record(DISK_NOTE, 0, number, 0, 0, NULL, NULL, NULL);
    disk_end();
}

void disk_inject(uint32_t operations, uint64_t at, enum disk_effect effect, int error, int forever) {
    disk_begin();
    atomic_store(&disk_doomed, operations);
    fault.at = at;
    fault.effect = effect;
    fault.error = error;
    fault.forever = forever;
    fault.count = 0;
    disk_end();
}

uint64_t disk_injected_count(void) {
    disk_begin();
    uint64_t count = fault.count;
    disk_end();
    return count;
}

#else

int disk_is_watchable(void) { return 0; }
unsigned long disk_sync_count(void) { return 0; }
int disk_watch(const char *path, int trace) { return 38; }  // ENOSYS
void disk_note(uint64_t number) {}
void disk_inject(uint32_t operations, uint64_t at, enum disk_effect effect, int error, int forever) {}
uint64_t disk_injected_count(void) { return 0; }

#endif
