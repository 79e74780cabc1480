// The parts of Linux's interface that Swift's Glibc module leaves out.
#ifndef BELFRY_CLINUX_H
#define BELFRY_CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

/// `epoll_data` is a union with a name that Swift cannot spell in a constructor.
static inline struct epoll_event belfry_epoll_event(uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events};
    event.data.u64 = data;
    return event;
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

#endif
