// Tells the thread sanitizer about Synchronization.Mutex.
//
// A Mutex that nobody else wants is locked by code inlined into ours, which the sanitizer sees. One that is contended is
// locked and unlocked inside libswiftSynchronization, which is not built with the sanitizer: it misses that the one
// thread waited for the other, and reports what the mutex guards as a race. A program with nothing but a Mutex shows it.
// Loaded before that library, this adds the two edges that are missing and suppresses nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// _MutexHandle._lockSlow(UInt32) and _MutexHandle._unlockSlow(), of the ABI of Swift 6.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

typedef SWIFT void lock_function(uint32_t thread, SELF mutex);
typedef SWIFT void unlock_function(SELF mutex);

SWIFT void belfry_lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void belfry_unlock(SELF mutex) __asm__(UNLOCK);

// Of the sanitizer's runtime, which only the tested program holds.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    fprintf(stderr, "sanitize-mutex: no %s in this libswiftSynchronization\n", name);
    abort();
}

SWIFT void belfry_lock(uint32_t thread, SELF mutex) {
    ((lock_function *)original(LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void belfry_unlock(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((unlock_function *)original(UNLOCK))(mutex);
}
