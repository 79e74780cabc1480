#define _GNU_SOURCE
#include "publisher.h"

#include "report.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BUFFER_BYTES = 512 << 10, LARGEST_EVENT = 512, MOST_EVENTS = 1000, EVENTS_AT_ONCE = 64 };

/* What the answer has for each event that made one notification. */
#define CREATED "\"created\":1"

struct publisher {
    int descriptor;
    /* Events that are not answered. */
    size_t under_way;
    /* How much of CREATED has come, as answers are cut anywhere. */
    size_t matched;
};

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static struct publisher *publishers;
static size_t publisher_count;
static enum publisher_kind kind;
static void (*tell_answered)(size_t publisher, size_t events);
static int poller;
static char buffer[BUFFER_BYTES];
/* Makes the keys of two runs differ. */
static uint32_t run;
static uint32_t number;

static void send_all(struct publisher *publisher, const void *data, size_t size) {
    const char *rest = data;
    while (size > 0) {
        /* Waits: the server reads what it is sent. */
        ssize_t count = send(publisher->descriptor, rest, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("publishing: %s", strerror(errno));
        rest += count;
        size -= (size_t)count;
    }
}

void publishers_begin(
    const char *socket_path, size_t count, enum publisher_kind chosen, void (*answered)(size_t publisher, size_t events)
) {
    kind = chosen;
    tell_answered = answered;
    publisher_count = count;
    run = (uint32_t)(now() / 1000000);
    poller = epoll_create1(EPOLL_CLOEXEC);
    publishers = calloc(count, sizeof *publishers);
    if (poller < 0 || !publishers) fail("publishers: %s", strerror(errno));
    snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_path);
}

static void connect_one(struct publisher *publisher, size_t index) {
    static const char head[] = "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Type: application/x-ndjson\r\n"
        "Transfer-Encoding: chunked\r\n\r\n";
    publisher->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(publisher->descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        fail("%s: %s", address.sun_path, strerror(errno));
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = index};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, publisher->descriptor, &event) != 0) fail("epoll: %s", strerror(errno));
    if (kind == PUBLISHER_STREAM) send_all(publisher, head, sizeof head - 1);
}

void publishers_connect(void) {
    for (size_t i = 0; i < publisher_count; i++) connect_one(&publishers[i], i);
}

void publishers_close(void) {
    for (size_t i = 0; i < publisher_count; i++) {
        close(publishers[i].descriptor);
        publishers[i].descriptor = -1;
        publishers[i].matched = 0;
    }
}

static size_t write_event(char *out, uint32_t user) {
    number++;
    return (size_t)snprintf(out, LARGEST_EVENT,
        "{\"type\":\"added_to_room\",\"key\":\"bench-%08x-%09u\",\"actor\":{\"id\":\"maker\",\"username\":\"maker\","
        "\"firstName\":\"Maker\",\"avatarUrl\":null},\"to\":{\"added\":[\"user-%u\"]},"
        "\"data\":{\"room\":{\"id\":\"room-%09u\",\"name\":\"Room %09u\"}}}", run, number, user, number, number);
}

static void post(struct publisher *publisher, const uint32_t *users, size_t count) {
    static char body[MOST_EVENTS * LARGEST_EVENT];
    char head[256];
    size_t size = 0;
    if (count > 1) body[size++] = '[';
    for (size_t i = 0; i < count; i++) {
        if (i > 0) body[size++] = ',';
        size += write_event(body + size, users[i]);
    }
    if (count > 1) body[size++] = ']';
    int head_bytes = snprintf(head, sizeof head, "POST /v1/events HTTP/1.1\r\nHost: belfry\r\n"
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n", size);
    memcpy(buffer, head, (size_t)head_bytes);
    memcpy(buffer + head_bytes, body, size);
    send_all(publisher, buffer, (size_t)head_bytes + size);
}

static void send_line(struct publisher *publisher, uint32_t user) {
    char event[LARGEST_EVENT], chunk[LARGEST_EVENT + 32];
    size_t size = write_event(event, user);
    int length = snprintf(chunk, sizeof chunk, "%zx\r\n%s\n\r\n", size + 1, event);
    send_all(publisher, chunk, (size_t)length);
}

static void send_message(struct publisher *publisher, uint32_t user) {
    char message[LARGEST_EVENT + 8];
    uint32_t header[2] = {user, (uint32_t)write_event(message + sizeof header, user)};
    memcpy(message, header, sizeof header);
    send_all(publisher, message, sizeof header + header[1]);
}

void publisher_send(size_t index, const uint32_t *users, size_t count) {
    struct publisher *publisher = &publishers[index];
    if (count > MOST_EVENTS) fail("more than %d events at once", MOST_EVENTS);
    if (kind == PUBLISHER_POSTS) post(publisher, users, count);
    else for (size_t i = 0; i < count; i++) {
        if (kind == PUBLISHER_STREAM) send_line(publisher, users[i]);
        else send_message(publisher, users[i]);
    }
    if (kind != PUBLISHER_FLOOR) publisher->under_way += count;
}

static size_t count_created(struct publisher *publisher, const char *data, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == CREATED[publisher->matched]) publisher->matched++;
        else publisher->matched = data[i] == CREATED[0];
        if (publisher->matched < sizeof CREATED - 1) continue;
        count++;
        publisher->matched = 0;
    }
    return count;
}

static void receive(size_t index) {
    struct publisher *publisher = &publishers[index];
    /* Closed in this turn, which may hold the rest of an answer. */
    if (publisher->descriptor < 0) return;
    ssize_t count = recv(publisher->descriptor, buffer, sizeof buffer - 1, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) fail("publisher %zu: the server ended the connection", index);
    buffer[count] = 0;
    bool is_refused = strncmp(buffer, "HTTP/1.1 ", 9) == 0 && strncmp(buffer + 9, "20", 2) != 0;
    if (is_refused || memmem(buffer, (size_t)count, "\"code\":", 7)) fail("an event was refused: %.300s", buffer);
    size_t created = count_created(publisher, buffer, (size_t)count);
    if (created > publisher->under_way) fail("publisher %zu got an answer that it had not asked for", index);
    publisher->under_way -= created;
    if (created) tell_answered(index, created);
}

void publishers_poll(void) {
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(poller, events, EVENTS_AT_ONCE, 0);
    for (int i = 0; i < count; i++) receive(events[i].data.u64);
}
