/* Connections without sockets, for as many sessions as memory allows: a library that is loaded before the server's own.
 *
 * While clients are wanted, each `accept4` on a TCP listener gives a descriptor that no kernel knows, from FIRST on; a real
 * connection must wait in the listener's queue meanwhile, so that the server goes on accepting. What the server then does
 * with such a descriptor ends here, and what the client has to say makes the shard's epoll descriptor ready. Everything
 * else goes on to the system. The server must have one shard.
 *
 * SIMULATION_COUNTS names the file of `struct counts`, SIMULATION_SECRET that of the tokens' secret, SIMULATION_FEED the
 * feed, if there is one. */
#define _GNU_SOURCE
#include "clients.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST = 1 << 16, MOST = 1 << 21 };
/* No key of the server's: its highest bits are a generation, which grows by one. */
#define BELL_KEY 0xB0B0B0B0B0B0B0B0ull

static struct counts *counts;
static struct client *clients;
/* Clients with something to say, a ring. */
static uint32_t *ring;
static size_t ring_first, ring_count;
/* Makes the shard's epoll descriptor ready for as long as the ring is not empty. */
static int shard_epoll = -1, bell = -1;

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("SIMULATION_COUNTS");
    int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) abort();
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    /* Shared, so that they are not among the server's own anonymous memory. */
    int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    clients = mmap(NULL, MOST * sizeof *clients, PROT_READ | PROT_WRITE, flags, -1, 0);
    ring = mmap(NULL, MOST * sizeof *ring, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (counts == MAP_FAILED || clients == MAP_FAILED || ring == MAP_FAILED) abort();
    clients_begin(counts, getenv("SIMULATION_SECRET"), getenv("SIMULATION_FEED"));
}

static struct client *simulated(int descriptor) {
    return descriptor >= FIRST && descriptor < FIRST + MOST ? &clients[descriptor - FIRST] : NULL;
}

static void ring_bell(void) {
    uint64_t one = 1;
    if (write(bell, &one, sizeof one) != sizeof one) abort();
}

static void look_at(struct client *client) {
    if (client->is_ready || !client->is_open || !client->is_watched || !client_speaks(client)) return;
    client->is_ready = true;
    ring[(ring_first + ring_count++) % MOST] = (uint32_t)(client - clients);
    if (ring_count == 1) ring_bell();
}

/* ---- What the server calls ---- */

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit) {
    REAL(getrlimit);
    if (resource != RLIMIT_NOFILE) return real(resource, limit);
    *limit = (struct rlimit){FIRST + MOST, FIRST + MOST};
    return 0;
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    REAL(accept4);
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    uint64_t come = atomic_load(&counts->come);
    if (come >= atomic_load(&counts->wanted) || come >= MOST
        || getsockname(listener, (struct sockaddr *)&own, &size) != 0 || own.ss_family == AF_UNIX)
        return real(listener, address, length, flags);
    clients[come] = (struct client){.is_open = true};
    atomic_store(&counts->come, come + 1);
    return FIRST + (int)come;
}

int getpeername(int descriptor, struct sockaddr *address, socklen_t *length) {
    REAL(getpeername);
    if (!simulated(descriptor)) return real(descriptor, address, length);
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(1024)};
    peer.sin_addr.s_addr = htonl(0x0A000000u + (uint32_t)(descriptor - FIRST));
    memcpy(address, &peer, *length < sizeof peer ? *length : sizeof peer);
    *length = sizeof peer;
    return 0;
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
    REAL(epoll_ctl);
    struct client *client = simulated(descriptor);
    if (!client) return real(epoll, operation, descriptor, event);
    if (bell < 0) {
        shard_epoll = epoll;
        bell = eventfd(0, EFD_CLOEXEC);
        struct epoll_event ringing = {.events = EPOLLIN, .data.u64 = BELL_KEY};
        if (bell < 0 || real(epoll, EPOLL_CTL_ADD, bell, &ringing) != 0) abort();
    }
    /* One shard, or the ring would be shared by threads. */
    if (epoll != shard_epoll) abort();
    client->is_watched = operation != EPOLL_CTL_DEL && event->events & EPOLLIN;
    if (operation != EPOLL_CTL_DEL) client->watch_key = event->data.u64;
    look_at(client);
    return 0;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
    REAL(epoll_wait);
    if (epoll != shard_epoll) return real(epoll, events, most, timeout);
    int count = real(epoll, events, most / 2, ring_count ? 0 : timeout), kept = 0;
    for (int i = 0; i < count; i++) if (events[i].data.u64 != BELL_KEY) events[kept++] = events[i];
    bool had_some = ring_count > 0;
    for (; kept < most && ring_count > 0; ring_count--) {
        struct client *client = &clients[ring[ring_first]];
        ring_first = (ring_first + 1) % MOST;
        client->is_ready = false;
        if (client->is_open && client->is_watched)
            events[kept++] = (struct epoll_event){.events = EPOLLIN, .data.u64 = client->watch_key};
    }
    uint64_t rung;
    if (had_some && ring_count == 0 && read(bell, &rung, sizeof rung) != sizeof rung) abort();
    return count < 0 && kept == 0 ? count : kept;
}

ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
    REAL(recv);
    struct client *client = simulated(descriptor);
    if (!client) return real(descriptor, buffer, size, flags);
    size_t said = client_says(client, (uint64_t)(client - clients), buffer, size);
    look_at(client);
    if (said > 0) return (ssize_t)said;
    errno = EAGAIN;
    return -1;
}

/* The server sends past glibc's `send`. No call of the system's has more than six arguments, and reading some that were not
 * given harms nobody. */
long syscall(long number, ...) {
    REAL(syscall);
    va_list list;
    va_start(list, number);
    long arguments[6];
    for (int place = 0; place < 6; place++) arguments[place] = va_arg(list, long);
    va_end(list);
    struct client *client = number == SYS_sendto ? simulated((int)arguments[0]) : NULL;
    if (!client) {
        return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    }
    client_hears(client, (const void *)arguments[1], (size_t)arguments[2]);
    look_at(client);
    return arguments[2];
}

int shutdown(int descriptor, int how) {
    REAL(shutdown);
    return simulated(descriptor) ? 0 : real(descriptor, how);
}

int close(int descriptor) {
    REAL(close);
    struct client *client = simulated(descriptor);
    if (!client) return real(descriptor);
    client->is_open = false;
    return 0;
}
