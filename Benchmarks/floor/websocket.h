#ifndef WEBSOCKET_H
#define WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the floors that speak WebSocket share: listening, accepting, the upgrade, and one epoll. */

enum { MOST_DESCRIPTORS = 20000 };

/* What a step made of the bytes it got, if it is not how many it used. */
enum { INCOMPLETE = 0, OVER = -1 };

_Noreturn void fail(const char *call);

/* The epoll that `watch` adds to, level-triggered and for input. */
extern int poller;
void watch(int descriptor);

/* Makes the epoll, watches standard input and a listener on a free port, says {"port":P} and returns the listener. */
int listen_on_loopback(void);

/* Takes every connection that waits, and watches it. */
void accept_all(int listener);

/* Accepts, and has `receive` called for each connection that has something, until standard input ends. Those for which it
 * returns false, `drop` closes. */
void serve(int listener, bool (*receive)(int descriptor), void (*drop)(int descriptor));

/* False if the socket did not take all of it: a client of these measurements reads what it gets. */
bool send_all(int descriptor, const void *data, size_t size);

/* Answers the upgrade (RFC 6455 §4.2.2); how many bytes the request had. */
ssize_t answer_upgrade(int descriptor, const char *request, size_t size);

/* The length of the masked frame that begins here, head and mask included, and where its payload is; up to 64 KiB. */
ssize_t measure_frame(uint8_t *frame, size_t size, uint8_t **payload);

void unmask(uint8_t *payload, size_t size, const uint8_t *mask);

#endif
