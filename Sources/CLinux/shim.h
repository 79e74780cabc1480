// The parts of Linux's interface that Swift's Glibc module leaves out.
#ifndef BELFRY_CLINUX_H
#define BELFRY_CLINUX_H

#include <linux/filter.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

/// `epoll_data` is a union with a name that Swift cannot spell in a constructor.
static inline struct epoll_event belfry_epoll_event(uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events};
    event.data.u64 = data;
    return event;
}

/// Whether something could not be written to standard error since this was asked last.
static inline int belfry_has_lost_errors(void) {
    int failed = ferror(stderr);
    if (failed) clearerr(stderr);
    return failed;
}

/// The kernel's word on who is at the other end of a Unix socket; the process id is -1 when it cannot tell.
/// Laid out as the kernel's `struct ucred`, which glibc only shows with _GNU_SOURCE; that macro would make this module's
/// view of `fd_set` differ from Dispatch's, and Swift refuses two.
struct belfry_peer { int process; unsigned user; unsigned group; };
static inline struct belfry_peer belfry_peer_credentials(int descriptor) {
    struct belfry_peer peer = {-1, (unsigned)-1, (unsigned)-1};
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) peer.process = -1;
    return peer;
}

extern int accept4(int, struct sockaddr *, socklen_t *, int);  // Linux 2.6.28; hidden for the same reason
static inline int belfry_accept(int listener) {
    return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

extern long syscall(long, ...);  // unistd.h, which Glibc's module has
/// send(2) without signals, past glibc's, which is a point at which a thread may be cancelled and says so to others, before
/// and after, once a process has threads. No thread is ever cancelled here. Counts as send does: -1, and errno.
static inline ssize_t belfry_send(int socket, const void *bytes, size_t count) {
    return syscall(SYS_sendto, (long)socket, bytes, count, (long)MSG_NOSIGNAL, (void *)0, 0L);
}

extern int ioctl(int, unsigned long, ...);  // its header would bring types that Glibc's module has, too
/// How much of what a socket has taken its peer has not confirmed (tcp(7)), or on a Unix socket not read.
static inline int belfry_unconfirmed_bytes(int descriptor) {
    enum { unsent = 0x5411 };  // SIOCOUTQ of linux/sockios.h
    int count = 0;
    return ioctl(descriptor, unsent, &count) == 0 ? count : 0;
}

/// Has the kernel drop the packets that begin a connection to this TCP listener, and no others: who has begun goes on,
/// and who is new sends again, a second later. What a socket's filter sees begins at the TCP header (socket(7)).
static inline int belfry_drop_new_handshakes(int listener) {
    enum { flags_offset = 13, syn = 0x02, ack = 0x10 };
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags_offset),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, syn | ack),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, syn, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
    };
    struct sock_fprog program = {sizeof instructions / sizeof *instructions, instructions};
    return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/// On how many processors the calling thread may run (sched_setaffinity(2)); 0 when the kernel does not tell. Past glibc,
/// which shows these functions and their sets only with _GNU_SOURCE, and its sets end at 1,024.
static inline int belfry_allowed_processors(void) {
    unsigned long set[1024] = {0};  // as many as a kernel may be built for, eight times over
    long bytes = syscall(SYS_sched_getaffinity, 0L, sizeof set, set);
    int count = 0;
    for (long i = 0; i < bytes / (long)sizeof *set; i++) count += __builtin_popcountl(set[i]);
    return count;
}

extern int malloc_trim(unsigned long);  // malloc.h, which Glibc's module leaves out
// Weak: only the program has jemalloc's heap, its tests have glibc's.
extern int mallctl(const char *, void *, size_t *, void *, size_t) __attribute__((weak));
/// Gives freed memory back to the system, from between pieces that are in use, too. From any thread.
static inline void belfry_trim_heap(void) {
    if (mallctl) mallctl("arena.4096.purge", NULL, NULL, NULL, 0);  // MALLCTL_ARENAS_ALL of jemalloc.h
    else malloc_trim(0);
}

/// What pieces in use take, by jemalloc's `stats.allocated`; 0 with another heap. From any thread.
static inline long belfry_heap_bytes_in_use(void) {
    uint64_t epoch = 1;  // its counts are as of the last change of this
    size_t allocated = 0, size = sizeof allocated;
    if (!mallctl || mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) != 0) return 0;
    return mallctl("stats.allocated", &allocated, &size, NULL, 0) == 0 ? (long)allocated : 0;
}

#endif
