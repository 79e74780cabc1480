#define _GNU_SOURCE
#include "stream.h"

#include "report.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* Well under the 28,232 ports that Linux gives to one source address by default. */
    CONNECTIONS_PER_SOURCE = 5000,
    /* The least that Linux gives is twice 1,152. */
    NARROW_BUFFER_BYTES = 2304,
    ETHERNET_SEGMENT_BYTES = 1448,
    WIDE_BUFFER_BYTES = 256 << 10,
    /* The most without the scaling that a small buffer did not ask for (RFC 7323 §2). */
    WIDE_WINDOW_BYTES = 65535,
};

static SSL_CTX *tls_context;

void stream_use_tls(void) {
    tls_context = SSL_CTX_new(TLS_client_method());
    if (!tls_context) fail("no TLS context");
    SSL_CTX_set_mode(tls_context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(tls_context, SSL_SESS_CACHE_OFF);
    /* libssl writes without MSG_NOSIGNAL. */
    signal(SIGPIPE, SIG_IGN);
}

static int bind_source(int descriptor, size_t index) {
    size_t source = index / CONNECTIONS_PER_SOURCE;
    if (source == 0) return 0;
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)source);
    /* Without it the kernel looks for a port that is free towards all servers. */
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    return bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
}

/* Before the connection, since neither can be taken back later. */
static void narrow(int descriptor) {
    int buffer = NARROW_BUFFER_BYTES, segment = ETHERNET_SEGMENT_BYTES;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
}

int stream_connect(struct stream *stream, const struct sockaddr_in *server, size_t index, bool is_slow) {
    stream->tls = NULL;
    int descriptor = stream->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return errno;
    int on = 1;
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (is_slow) narrow(descriptor);
    int problem = bind_source(descriptor, index);
    if (!problem && connect(descriptor, (const struct sockaddr *)server, sizeof *server) != 0 && errno != EINPROGRESS)
        problem = errno;
    return problem;
}

int stream_connected(struct stream *stream) {
    int problem = 0;
    socklen_t size = sizeof problem;
    getsockopt(stream->descriptor, SOL_SOCKET, SO_ERROR, &problem, &size);
    return problem;
}

/* Whether to wait or to give up, after a call of libssl that did not succeed. */
static int tls_outcome(struct stream *stream, int result) {
    int reason = SSL_get_error(stream->tls, result);
    ERR_clear_error();
    switch (reason) {
    case SSL_ERROR_WANT_READ: case SSL_ERROR_WANT_WRITE: return STREAM_AGAIN;
    case SSL_ERROR_ZERO_RETURN: return 0;
    default: return STREAM_LOST;
    }
}

int stream_secure(struct stream *stream) {
    if (!tls_context) return 0;
    if (!stream->tls) {
        stream->tls = SSL_new(tls_context);
        if (!stream->tls || SSL_set_fd(stream->tls, stream->descriptor) != 1) fail("no TLS session");
        SSL_set_connect_state(stream->tls);
    }
    int result = SSL_do_handshake(stream->tls);
    if (result == 1) return 0;
    /* A stream that ended before it was secure is as good as lost. */
    return tls_outcome(stream, result) == STREAM_AGAIN ? STREAM_AGAIN : STREAM_LOST;
}

ssize_t stream_receive(struct stream *stream, void *buffer, size_t size) {
    if (stream->tls) {
        int count = SSL_read(stream->tls, buffer, (int)size);
        return count > 0 ? count : tls_outcome(stream, count);
    }
    ssize_t count = recv(stream->descriptor, buffer, size, 0);
    if (count >= 0) return count;
    return errno == EAGAIN || errno == EINTR ? STREAM_AGAIN : STREAM_LOST;
}

bool stream_send(struct stream *stream, const void *data, size_t size) {
    if (stream->tls) {
        int count = SSL_write(stream->tls, data, (int)size);
        if (count <= 0) ERR_clear_error();
        return count == (int)size;
    }
    return send(stream->descriptor, data, size, MSG_NOSIGNAL) == (ssize_t)size;
}

void stream_widen(struct stream *stream) {
    int buffer = WIDE_BUFFER_BYTES, window = WIDE_WINDOW_BYTES;
    setsockopt(stream->descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    setsockopt(stream->descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &window, sizeof window);
}

void stream_finish(struct stream *stream) {
    if (stream->tls && SSL_shutdown(stream->tls) < 0) ERR_clear_error();
    shutdown(stream->descriptor, SHUT_WR);
}

void stream_close(struct stream *stream) {
    SSL_free(stream->tls);
    if (stream->descriptor >= 0) close(stream->descriptor);
    *stream = (struct stream){.descriptor = -1};
}
