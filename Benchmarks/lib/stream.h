#ifndef STREAM_H
#define STREAM_H

#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A TCP connection's bytes, plain or over TLS. No call blocks. */
struct stream {
    int descriptor;
    /* NULL where the bytes are plain. */
    SSL *tls;
};

enum { STREAM_AGAIN = -1, STREAM_LOST = -2 };

/* All streams that are connected from now on speak TLS. Certificates are not looked at: the server is our own. */
void stream_use_tls(void);

/* Begins to connect; returns 0, or the system's error number.
 *
 * `index` chooses the source address, since each has only so many ports. A slow one has the smallest receive buffer,
 * and the segments of an Ethernet: with the loopback's own of 64 KiB the server's kernel would take more than a
 * megabyte before a reader that has stopped is felt. Closing will reset the connection, so that thousands of them leave
 * no TIME_WAIT. */
int stream_connect(struct stream *stream, const struct sockaddr_in *server, size_t index, bool is_slow);

/* Once the socket is writable: 0 if it is connected, else the system's error number. */
int stream_connected(struct stream *stream);

/* Begins the TLS handshake or takes it on: 0 once it is over, and at once where there is no TLS; else STREAM_AGAIN or
 * STREAM_LOST. */
int stream_secure(struct stream *stream);

/* How many bytes came, 0 at the end of the stream, STREAM_AGAIN or STREAM_LOST. */
ssize_t stream_receive(struct stream *stream, void *buffer, size_t size);

/* Whether all was taken. A few hundred bytes on a connection that is otherwise silent always are. */
bool stream_send(struct stream *stream, const void *data, size_t size);

/* From now on takes as fast as any other what had only a small receive buffer at first. */
void stream_widen(struct stream *stream);

/* Ends the output in good order and leaves the input open; over TLS by its own closing alert (RFC 8446 §6.1). */
void stream_finish(struct stream *stream);

/* Closes with a reset; in good order if the stream has finished and the server, too. */
void stream_close(struct stream *stream);

#endif
