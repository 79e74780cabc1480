/* Many sessions of Belfry's live protocol in one process and one thread, which count the feed items that they get.
 *
 * With --raw they are plain connections that count bytes, for a server without any protocol.
 *
 * Commands come on standard input, a line each: `open N` (until N sessions are open in all), `count`, `quit`.
 * News go to standard output as a JSON object a line:
 *   {"open":N}              on the way, every 1,000
 *   {"ready":N}             all N are open, greeted and, with --feed, subscribed
 *   {"frames":F,"bytes":B}  whenever each of the sessions could have got one more item, and as the answer to `count`
 *   {"error":"…"}           a session was lost, refused or left out an item; the program ends with status 1
 */
#define _GNU_SOURCE
#include "frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* The example of RFC 6455 §1.3: a fixed key has a fixed answer, which can be checked without SHA-1. */
#define HANDSHAKE_KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define HANDSHAKE_ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

enum {
    /* Sessions on their way at once: enough to keep a server busy, too few to overflow its accept queue. */
    OPENING_AT_ONCE = 128,
    /* Well under the 28,232 ports that Linux gives to one source address by default. */
    CONNECTIONS_PER_SOURCE = 5000,
    EVENTS_AT_ONCE = 256,
    /* Subscribers elsewhere cost the server no wake-ups. Here each frame would wake this process on another core, at
     * the sender's expense, the more so the slower the sender; so once all are open it looks only so often. */
    NAP_MICROSECONDS = 2000,
    RESPONSE_BYTES = 2048,
    TOKEN_BYTES = 2048,
};

enum state { CONNECTING, UPGRADING, GREETING, SUBSCRIBING, OPEN };

/* The answer to the upgrade, as far as it has come. */
struct response {
    size_t bytes;
    char text[RESPONSE_BYTES];
};

struct connection {
    int descriptor;
    enum state state;
    /* Only while upgrading. */
    struct response *response;
    struct frame_reader reader;
};

static struct {
    struct sockaddr_in server;
    const char *host;
    int port;
    const char *feed;
    uint64_t raw_bytes;
    char **tokens;
    size_t token_count;
} options;

static struct connection *connections;
static size_t connection_count, open_count, wanted_count, capacity;
static uint64_t frames, bytes, next_report;
static int poller;

static _Noreturn void fail(const char *format, ...) {
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    /* What a server sent may be in it, and must not break the line's JSON. */
    for (char *c = reason; *c; c++) if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = '\'';
    printf("{\"error\":\"%s\"}\n", reason);
    exit(1);
}

static size_t index_of(const struct connection *connection) { return (size_t)(connection - connections); }

/* ---- Output ---- */

static void send_all(struct connection *connection, const void *data, size_t size) {
    ssize_t sent = send(connection->descriptor, data, size, MSG_NOSIGNAL);
    /* A few hundred bytes on a connection that is otherwise silent always fit. */
    if (sent != (ssize_t)size) fail("session %zu: send: %s", index_of(connection), sent < 0 ? strerror(errno) : "cut");
}

static void send_text(struct connection *connection, const char *json) {
    uint8_t frame[1024];
    if (strlen(json) > sizeof frame - 8) fail("a frame of %zu bytes is too long", strlen(json));
    send_all(connection, frame, frame_write(frame, OPCODE_TEXT, json, strlen(json)));
}

static void send_upgrade(struct connection *connection) {
    char request[TOKEN_BYTES + 512];
    int length = snprintf(request, sizeof request,
        "GET /v1/live HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " HANDSHAKE_KEY "\r\nSec-WebSocket-Protocol: belfry.v1\r\n"
        "Authorization: Bearer %s\r\n\r\n",
        options.host, options.port, options.tokens[index_of(connection) % options.token_count]);
    if (length < 0 || (size_t)length >= sizeof request) fail("the token is too long");
    connection->response = calloc(1, sizeof *connection->response);
    if (!connection->response) fail("out of memory");
    connection->state = UPGRADING;
    send_all(connection, request, (size_t)length);
}

/* ---- Opening ---- */

static void watch(int descriptor, void *data, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = data};
    if (epoll_ctl(poller, operation, descriptor, &event) != 0) fail("epoll_ctl: %s", strerror(errno));
}

/* Spreads many connections over several addresses of this machine, since each has only so many ports. */
static void bind_source(int descriptor, size_t index) {
    size_t source = index / CONNECTIONS_PER_SOURCE;
    if (source == 0) return;
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)source);
    /* Without it the kernel looks for a port that is free towards all servers. */
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("bind: %s", strerror(errno));
}

static void connect_next(void) {
    struct connection *connection = &connections[connection_count++];
    memset(connection, 0, sizeof *connection);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("session %zu: socket: %s", index_of(connection), strerror(errno));
    connection->descriptor = descriptor;
    int on = 1;
    /* Closing resets the connection: ten thousand of them in TIME_WAIT would take the next run's ports. */
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    bind_source(descriptor, index_of(connection));
    connection->state = CONNECTING;
    if (connect(descriptor, (struct sockaddr *)&options.server, sizeof options.server) != 0 && errno != EINPROGRESS)
        fail("session %zu: connect: %s", index_of(connection), strerror(errno));
    watch(descriptor, connection, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
}

static void open_more(void) {
    while (connection_count < wanted_count && connection_count - open_count < OPENING_AT_ONCE) connect_next();
}

static void opened(struct connection *connection) {
    connection->state = OPEN;
    open_count++;
    if (open_count == wanted_count) {
        next_report = (frames / open_count + 1) * open_count;
        printf("{\"ready\":%zu}\n", open_count);
    } else if (open_count % 1000 == 0) {
        printf("{\"open\":%zu}\n", open_count);
    }
    open_more();
}

static void connected(struct connection *connection) {
    int problem = 0;
    socklen_t size = sizeof problem;
    getsockopt(connection->descriptor, SOL_SOCKET, SO_ERROR, &problem, &size);
    if (problem) fail("session %zu: connect: %s", index_of(connection), strerror(problem));
    watch(connection->descriptor, connection, EPOLL_CTL_MOD, EPOLLIN);
    if (options.raw_bytes) opened(connection);
    else send_upgrade(connection);
}

/* ---- Input ---- */

static void report(void) { printf("{\"frames\":%" PRIu64 ",\"bytes\":%" PRIu64 "}\n", frames, bytes); }

static void report_round(void) {
    if (open_count < wanted_count || frames < next_report) return;
    next_report = (frames / open_count + 1) * open_count;
    report();
}

static void greeted(struct connection *connection) {
    if (!options.feed) return opened(connection);
    char json[512];
    snprintf(json, sizeof json, "{\"type\":\"subscribe\",\"feed\":\"%s\"}", options.feed);
    connection->state = SUBSCRIBING;
    send_text(connection, json);
}

static void received_text(struct connection *connection) {
    const struct frame_reader *reader = &connection->reader;
    if (frame_has_type(reader, "item")) {
        frames++;
        bytes += frame_wire_bytes(reader);
        report_round();
    } else if (connection->state == GREETING && frame_has_type(reader, "ready")) {
        greeted(connection);
    } else if (connection->state == SUBSCRIBING && frame_has_type(reader, "feed")) {
        opened(connection);
    } else if (frame_has_type(reader, "error") || frame_has_type(reader, "gap")) {
        fail("session %zu got %.*s", index_of(connection), reader->kept_bytes, (const char *)reader->kept);
    }
}

static void received_frame(struct connection *connection) {
    const struct frame_reader *reader = &connection->reader;
    uint8_t pong[KEPT_BYTES + 8];
    switch (frame_opcode(reader)) {
    case OPCODE_TEXT: return received_text(connection);
    case OPCODE_PING:
        return send_all(connection, pong, frame_write(pong, OPCODE_PONG, reader->kept, reader->kept_bytes));
    case OPCODE_PONG: return;
    case OPCODE_CLOSE:
        if (reader->kept_bytes < 2) fail("session %zu was closed", index_of(connection));
        fail("session %zu was closed: %d %.*s", index_of(connection), reader->kept[0] << 8 | reader->kept[1],
            reader->kept_bytes - 2, (const char *)reader->kept + 2);
    default: fail("session %zu got a frame of kind %d", index_of(connection), frame_opcode(reader));
    }
}

static void received_frames(struct connection *connection, const uint8_t *data, size_t size) {
    const uint8_t *end = data + size;
    while (data < end) {
        switch (frame_read(&connection->reader, &data, end)) {
        case FRAME_COMPLETE: received_frame(connection); break;
        case FRAME_INCOMPLETE: return;
        case FRAME_VIOLATION: fail("session %zu got a frame that a server may not send", index_of(connection));
        }
    }
}

static void received_response(struct connection *connection, const uint8_t *data, size_t size) {
    struct response *response = connection->response;
    size_t before = response->bytes;
    size_t taken = size < RESPONSE_BYTES - 1 - before ? size : RESPONSE_BYTES - 1 - before;
    memcpy(response->text + before, data, taken);
    response->bytes += taken;
    const char *end = strstr(response->text, "\r\n\r\n");
    if (!end) {
        if (response->bytes == RESPONSE_BYTES - 1) fail("the answer to the upgrade is too long");
        return;
    }
    if (strncmp(response->text, "HTTP/1.1 101 ", 13) != 0 || !strstr(response->text, HANDSHAKE_ACCEPT))
        fail("session %zu: the upgrade was refused: %.*s", index_of(connection),
            (int)strcspn(response->text, "\r\n"), response->text);
    size_t used = (size_t)(end + 4 - response->text) - before;
    free(response);
    connection->response = NULL;
    connection->state = GREETING;
    send_text(connection, "{\"type\":\"hello\",\"active\":true}");
    received_frames(connection, data + used, size - used);
}

static void received(struct connection *connection, const uint8_t *data, size_t size) {
    if (options.raw_bytes) {
        bytes += size;
        frames = bytes / options.raw_bytes;
        report_round();
    } else if (connection->state == UPGRADING) {
        received_response(connection, data, size);
    } else {
        received_frames(connection, data, size);
    }
}

static void ready(struct connection *connection, uint32_t events) {
    static uint8_t buffer[64 << 10];
    if (connection->state == CONNECTING) {
        connected(connection);
        /* What the event says about input was asked before there was a connection. */
        return;
    }
    if (!(events & (EPOLLIN | EPOLLERR | EPOLLHUP))) return;
    ssize_t count = recv(connection->descriptor, buffer, sizeof buffer, 0);
    if (count > 0) return received(connection, buffer, (size_t)count);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    fail("session %zu was lost: %s", index_of(connection), count == 0 ? "end of stream" : strerror(errno));
}

/* ---- Commands ---- */

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "open %zu", &count) == 1) {
        if (count < connection_count || count > capacity) fail("open: from %zu to %zu", connection_count, capacity);
        if (count == wanted_count) {
            printf("{\"ready\":%zu}\n", open_count);
            return;
        }
        wanted_count = count;
        open_more();
    } else if (strncmp(line, "count", 5) == 0) {
        report();
    } else if (strncmp(line, "quit", 4) == 0) {
        exit(0);
    } else {
        fail("unknown command: %s", line);
    }
}

static void read_commands(void) {
    static char line[256];
    static size_t length;
    ssize_t count = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
    if (count <= 0) exit(0);
    length += (size_t)count;
    line[length] = 0;
    char *end;
    while ((end = memchr(line, '\n', length))) {
        *end = 0;
        command(line);
        length -= (size_t)(end + 1 - line);
        memmove(line, end + 1, length);
    }
    if (length == sizeof line - 1) fail("a command is too long");
}

/* ---- Start ---- */

static void read_tokens(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s: %s", path, strerror(errno));
    char line[TOKEN_BYTES];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!*line) continue;
        options.tokens = realloc(options.tokens, (options.token_count + 1) * sizeof *options.tokens);
        char *token = strdup(line);
        if (!options.tokens || !token) fail("out of memory");
        options.tokens[options.token_count++] = token;
    }
    fclose(file);
    if (options.token_count == 0) fail("%s holds no token", path);
}

static void read_options(int count, char **arguments) {
    static const struct option known[] = {
        {"host", required_argument, NULL, 'h'}, {"port", required_argument, NULL, 'p'},
        {"connections", required_argument, NULL, 'n'}, {"tokens", required_argument, NULL, 't'},
        {"feed", required_argument, NULL, 'f'}, {"raw", required_argument, NULL, 'r'}, {0},
    };
    const char *token_file = NULL;
    options.host = "127.0.0.1";
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'h': options.host = optarg; break;
        case 'p': options.port = atoi(optarg); break;
        case 'n': capacity = strtoul(optarg, NULL, 10); break;
        case 't': token_file = optarg; break;
        case 'f': options.feed = optarg; break;
        case 'r': options.raw_bytes = strtoull(optarg, NULL, 10); break;
        default: exit(2);
        }
    }
    if (options.port <= 0 || capacity == 0 || (!token_file && !options.raw_bytes) || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST (--tokens FILE [--feed NAME] | --raw BYTES)"
            " [--host IPV4]\n", arguments[0]);
        exit(2);
    }
    options.server.sin_family = AF_INET;
    options.server.sin_port = htons((uint16_t)options.port);
    if (inet_pton(AF_INET, options.host, &options.server.sin_addr) != 1) fail("%s is no IPv4 address", options.host);
    if (token_file) read_tokens(token_file);
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_options(count, arguments);
    connections = calloc(capacity, sizeof *connections);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!connections || poller < 0) fail("no memory or no descriptor: %s", strerror(errno));
    watch(STDIN_FILENO, NULL, EPOLL_CTL_ADD, EPOLLIN);
    while (true) {
        struct epoll_event events[EVENTS_AT_ONCE];
        int ready_count = epoll_wait(poller, events, EVENTS_AT_ONCE, -1);
        if (ready_count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
        for (int i = 0; i < ready_count; i++) {
            if (events[i].data.ptr) ready(events[i].data.ptr, events[i].events);
            else read_commands();
        }
        bool is_full = ready_count == EVENTS_AT_ONCE;
        if (!is_full && open_count > 0 && open_count == wanted_count) usleep(NAP_MICROSECONDS);
    }
}
