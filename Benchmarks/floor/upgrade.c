/* The least that a storm of clients can cost: accepts, reads the request, answers the upgrade, and holds the
 * connection.
 *
 * No token is checked, no frame is read. Standard output says {"port":P} once it listens; the end of the input ends the
 * program.
 */
#include "websocket.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* False if the connection is over, as it is when the client has closed it. */
static bool receive(int descriptor) {
    static char request[4096];
    ssize_t count = recv(descriptor, request, sizeof request, 0);
    if (count < 0 && errno == EAGAIN) return true;
    /* A request comes whole, in one segment of the loopback device. */
    return count > 0 && answer_upgrade(descriptor, request, (size_t)count) == count;
}

static void drop(int descriptor) { close(descriptor); }

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    int listener = listen_on_loopback();
    serve(listener, receive, drop);
}
