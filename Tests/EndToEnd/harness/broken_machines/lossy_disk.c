// Preloaded into a server: notes in the file LOSSY_DISK whatever changes its database and the log, before it happens, with
// what was there; and which of it was synced. So a power cut can be acted out afterwards, by whoever reads the notes.
//
// A note is a kind, a file (0 the database, 1 the log), three numbers of eight bytes, and the bytes that the kind has:
//   W  a write: place, length, the file's size before; then the bytes that were there, zeros behind the file's end
//   T  another size: the new one, the bytes that follow, the size before; then the bytes that are cut off
//   B  a sync begins: its number, 0, 0
//   S  it has succeeded: its number, 0, 0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static uint64_t syncs = 0;

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), ending = strlen(end);
    return length >= ending && !strcmp(text + length - ending, end);
}

// Which of the two files it is; -1 for all others.
static int file_of(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return -1;
    path[length] = 0;
    return ends_with(path, "/belfry.sqlite") ? 0 : ends_with(path, "/belfry.sqlite-wal") ? 1 : -1;
}

static int notes(void) {
    static int descriptor = -1;
    if (descriptor < 0) {
        const char *path = getenv("LOSSY_DISK");
        descriptor = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
        if (descriptor < 0) abort();
    }
    return descriptor;
}

static void note(char kind, int file, uint64_t one, uint64_t two, uint64_t three, const void *bytes, size_t count) {
    char head[26] = {kind, (char)file};
    memcpy(head + 2, &one, 8);
    memcpy(head + 10, &two, 8);
    memcpy(head + 18, &three, 8);
    struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, count}};
    // One call: a process that dies leaves no part of a note, but for the last one.
    if (syscall(SYS_writev, notes(), parts, 2) != (ssize_t)(sizeof head + count)) abort();
}

static uint64_t size_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) ? 0 : (uint64_t)status.st_size;
}

static void note_bytes(char kind, int file, int descriptor, uint64_t place, uint64_t number, uint64_t count) {
    char *bytes = calloc(1, count ? count : 1);
    if (!bytes) abort();
    for (uint64_t done = 0; done < count;) {
        ssize_t got = syscall(SYS_pread64, descriptor, bytes + done, count - done, place + done);
        if (got <= 0) break;
        done += (uint64_t)got;
    }
    note(kind, file, number, count, size_of(descriptor), bytes, count);
    free(bytes);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t place) {
    int file = file_of(descriptor);
    if (file < 0) return syscall(SYS_pwrite64, descriptor, bytes, count, place);
    pthread_mutex_lock(&order);
    note_bytes('W', file, descriptor, (uint64_t)place, (uint64_t)place, count);
    ssize_t result = syscall(SYS_pwrite64, descriptor, bytes, count, place);
    pthread_mutex_unlock(&order);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t place) {
    return pwrite64(descriptor, bytes, count, place);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (file_of(descriptor) < 0) return syscall(SYS_write, descriptor, bytes, count);
    return pwrite64(descriptor, bytes, count, lseek(descriptor, 0, SEEK_CUR));
}

static int resize(int descriptor, uint64_t size, int (*body)(int, uint64_t)) {
    int file = file_of(descriptor);
    if (file < 0) return body(descriptor, size);
    pthread_mutex_lock(&order);
    uint64_t before = size_of(descriptor);
    note_bytes('T', file, descriptor, size, size, before > size ? before - size : 0);
    int result = body(descriptor, size);
    pthread_mutex_unlock(&order);
    return result;
}

static int cut(int descriptor, uint64_t size) { return (int)syscall(SYS_ftruncate, descriptor, size); }
static int reserve(int descriptor, uint64_t size) { return (int)syscall(SYS_fallocate, descriptor, 0, 0, size); }

int ftruncate64(int descriptor, off64_t size) { return resize(descriptor, (uint64_t)size, cut); }
int ftruncate(int descriptor, off_t size) { return resize(descriptor, (uint64_t)size, cut); }

int posix_fallocate64(int descriptor, off64_t place, off64_t count) {
    uint64_t end = (uint64_t)(place + count);
    // It never makes a file shorter.
    if (end <= size_of(descriptor)) return 0;
    return resize(descriptor, end, reserve) ? 28 /* ENOSPC */ : 0;
}
int posix_fallocate(int descriptor, off_t place, off_t count) { return posix_fallocate64(descriptor, place, count); }

static int synced(int descriptor, long call) {
    int file = file_of(descriptor);
    if (file < 0) return (int)syscall(call, descriptor);
    pthread_mutex_lock(&order);
    uint64_t number = ++syncs;
    note('B', file, number, 0, 0, "", 0);
    pthread_mutex_unlock(&order);
    int result = (int)syscall(call, descriptor);
    pthread_mutex_lock(&order);
    if (!result) note('S', file, number, 0, 0, "", 0);
    pthread_mutex_unlock(&order);
    return result;
}

int fsync(int descriptor) { return synced(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, SYS_fdatasync); }
