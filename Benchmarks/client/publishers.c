/* Publishers of events for one person each, and those persons, each with a session, in one process and one thread: so
 * one clock tells how long an event takes from its publisher to its frame. Without sessions it ends with the answer.
 *
 * Each event is for a user drawn at random. A session acknowledges each `new` as soon as it has it, unless told not to.
 *
 * Commands come on standard input, a line each:
 *   open N            until N sessions are open, those of user-0 to user-(N-1); with --first F, of user-F and on
 *   run COUNT         each publisher goes on as soon as what it has published has been answered and has come
 *   paced COUNT RATE  at evenly spaced times, RATE a second in all; times count from when an event was due
 * News go to standard output as a JSON object a line: {"open":N}, {"ready":N}, {"error":"…"}, and
 *   {"done":TOTAL,"seconds":…,"p50":…,"p99":…,"max":…,"frameBytes":…}, TOTAL over all commands, times in µs
 */
#include "../lib/delays.h"
#include "../lib/herd.h"
#include "../lib/publisher.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, MOST_AT_ONCE = 1000 };

/* Events under way, by number, the oldest first. */
struct queue { uint32_t first, last; };

struct backend {
    /* What has neither been answered, nor come where there are sessions. */
    size_t unanswered, undelivered;
    struct queue answers;
};

static struct session *sessions;
static struct queue *frames;
static struct backend *backends;
static char **tokens;
static size_t token_count, backend_count = 1, first_user, user_count, most, batch = 1, window;
static enum publisher_kind kind = PUBLISHER_POSTS;
static bool is_acknowledging = true;

/* The current command; an event's number is its place in these. */
static uint64_t wanted, sent, answered, delivered, began, total, frame_bytes;
static double rate;
static uint64_t *due;
static uint32_t *next_answer, *next_frame, *owner;

static uint32_t random_below(uint32_t limit) {
    static uint64_t state = 0x9E3779B97F4A7C15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 32) * limit >> 32);
}

static void append(struct queue *queue, uint32_t *next, uint32_t event) {
    next[event] = NONE;
    if (queue->first == NONE) queue->first = event;
    else next[queue->last] = event;
    queue->last = event;
}

static uint32_t take_first(struct queue *queue, const uint32_t *next) {
    uint32_t event = queue->first;
    if (event == NONE) fail("more came than was published");
    queue->first = next[event];
    return event;
}

/* ---- Publishing ---- */

static void publish(size_t publisher, size_t count, uint64_t time) {
    uint32_t users[MOST_AT_ONCE];
    for (size_t i = 0; i < count; i++) {
        uint32_t event = (uint32_t)sent++;
        users[i] = random_below((uint32_t)user_count);
        due[event] = rate > 0 ? began + (uint64_t)((double)event * 1e9 / rate) : time;
        owner[event] = (uint32_t)publisher;
        if (most) append(&frames[users[i]], next_frame, event);
        if (kind != PUBLISHER_FLOOR) append(&backends[publisher].answers, next_answer, event);
    }
    if (kind != PUBLISHER_FLOOR) backends[publisher].unanswered += count;
    if (most) backends[publisher].undelivered += count;
    for (size_t i = 0; i < count; i++) users[i] += (uint32_t)first_user;
    publisher_send(publisher, users, count);
}

/* How many events it may publish now. */
static size_t room(const struct backend *backend) {
    size_t under_way = backend->unanswered > backend->undelivered ? backend->unanswered : backend->undelivered;
    if (window) return under_way < window ? window - under_way : 0;
    return under_way == 0 ? batch : 0;
}

static void go_on(size_t publisher) {
    if (!wanted || rate > 0) return;
    size_t count = room(&backends[publisher]), left = (size_t)(wanted - sent);
    if (count > left) count = left;
    if (count > 0) publish(publisher, count, now());
}

static void publish_due(void) {
    static size_t next;
    uint64_t time = now();
    for (size_t tries = 0; sent < wanted && tries < backend_count; tries++) {
        if (time < began + (uint64_t)((double)sent * 1e9 / rate)) return;
        size_t publisher = next++ % backend_count;
        if (kind == PUBLISHER_POSTS && backends[publisher].unanswered > 0) continue;
        publish(publisher, 1, time);
        tries = 0;
    }
}

static void finish_if_over(void) {
    bool is_answered = kind == PUBLISHER_FLOOR || answered == wanted, has_come = !most || delivered == wanted;
    if (!wanted || !is_answered || !has_come) return;
    double seconds = (double)(now() - began) / 1e9;
    total += wanted;
    printf("{\"done\":%" PRIu64 ",\"seconds\":%.6f,\"frameBytes\":%" PRIu64 ",", total, seconds, frame_bytes);
    delays_print();
    printf("}\n");
    wanted = 0;
    publishers_close();
}

static void on_answer(size_t publisher, size_t events) {
    struct backend *backend = &backends[publisher];
    for (size_t i = 0; i < events; i++) {
        uint32_t event = take_first(&backend->answers, next_answer);
        if (!most) delays_note(due[event]);
    }
    backend->unanswered -= events;
    answered += events;
    go_on(publisher);
    finish_if_over();
}

/* ---- Sessions ---- */

static void connect_one(size_t index) {
    session_connect(&sessions[index], index, tokens[index % token_count], false);
}

static void opened(struct session *session) {
    if (kind == PUBLISHER_FLOOR) herd_opened();
    else session_send_text(session, "{\"type\":\"hello\",\"active\":true}");
}

static void notified(struct session *session) {
    uint32_t event = take_first(&frames[session - sessions], next_frame);
    delays_note(due[event]);
    frame_bytes = frame_wire_bytes(&session->reader);
    if (is_acknowledging) {
        char json[64];
        snprintf(json, sizeof json, "{\"type\":\"ack\",\"seq\":%" PRId64 "}", frame_number(&session->reader, "seq"));
        session_send_text(session, json);
    }
    backends[owner[event]].undelivered--;
    delivered++;
    go_on(owner[event]);
    finish_if_over();
}

static void received(struct session *session) {
    const struct frame_reader *reader = &session->reader;
    if (frame_opcode(reader) == OPCODE_CLOSE) fail("a session was closed: %d", frame_close_code(reader));
    if (frame_has_type(reader, "new")) notified(session);
    else if (frame_has_type(reader, "ready")) herd_opened();
    else if (frame_has_type(reader, "error") || frame_has_type(reader, "gap"))
        fail("a session got %.*s", reader->kept_bytes, (const char *)reader->kept);
}

static void ended(struct session *session, enum session_end end, const char *why) {
    fail("session %zu: %s: %s", (size_t)(session - sessions), session_end_names[end], why);
}

/* ---- Commands ---- */

static void *resized(void *array, size_t count, size_t size) {
    array = realloc(array, count * size);
    if (!array) fail("out of memory");
    return array;
}

static void start(size_t count, double events_a_second) {
    if (wanted || count == 0 || (most && !herd_is_complete())) fail("something is under way, or nothing is to do");
    due = resized(due, count, sizeof *due);
    next_answer = resized(next_answer, count, sizeof *next_answer);
    next_frame = resized(next_frame, count, sizeof *next_frame);
    owner = resized(owner, count, sizeof *owner);
    delays_begin(count);
    wanted = count;
    rate = events_a_second;
    sent = answered = delivered = 0;
    publishers_connect();
    began = now();
    for (size_t i = 0; i < backend_count; i++) go_on(i);
}

static void command(const char *line) {
    size_t count;
    double pace;
    if (sscanf(line, "open %zu", &count) == 1) herd_open(count);
    else if (sscanf(line, "run %zu", &count) == 1) start(count, 0);
    else if (sscanf(line, "paced %zu %lf", &count, &pace) == 2 && pace > 0) start(count, pace);
    else fail("unknown command: %s", line);
}

/* ---- Start ---- */

static void read_options(int count, char **arguments, struct session_settings *settings, const char **socket_path) {
    static const struct option known[] = {
        {"socket", required_argument, NULL, 's'}, {"publishers", required_argument, NULL, 'k'},
        {"users", required_argument, NULL, 'u'}, {"batch", required_argument, NULL, 'b'},
        {"stream", no_argument, NULL, 'r'}, {"floor", no_argument, NULL, 'f'}, {"window", required_argument, NULL, 'w'},
        {"port", required_argument, NULL, 'p'}, {"connections", required_argument, NULL, 'n'},
        {"tokens", required_argument, NULL, 't'}, {"no-ack", no_argument, NULL, 'a'},
        {"first", required_argument, NULL, 'i'}, {0},
    };
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 's': *socket_path = optarg; break;
        case 'k': backend_count = strtoul(optarg, NULL, 10); break;
        case 'u': user_count = strtoul(optarg, NULL, 10); break;
        case 'b': batch = strtoul(optarg, NULL, 10); break;
        case 'r': kind = PUBLISHER_STREAM; break;
        case 'w': window = strtoul(optarg, NULL, 10); break;
        case 'f': kind = PUBLISHER_FLOOR; break;
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 't': tokens = read_lines(optarg, &token_count); break;
        case 'i': first_user = strtoul(optarg, NULL, 10); break;
        case 'a': is_acknowledging = false; break;
        default: exit(2);
        }
    }
    bool has_limits = backend_count > 0 && user_count > 0 && batch > 0 && batch <= MOST_AT_ONCE
        && (window > 0 ? kind != PUBLISHER_POSTS && window <= MOST_AT_ONCE : kind != PUBLISHER_STREAM);
    bool has_sessions = most && settings->port > 0 && tokens && user_count <= most;
    /* Nothing but a frame tells that the floor has had a message. */
    bool needs_sessions = most || kind == PUBLISHER_FLOOR;
    if (!*socket_path || !has_limits || (needs_sessions && !has_sessions) || optind != count) {
        fprintf(stderr, "usage: %s --socket PATH --users N [--first F] [--publishers K] [--batch TO_%d | --stream --window TO_%d |"
            " --floor [--window TO_%d]] [--port PORT --connections MOST --tokens FILE [--no-ack]]\n",
            arguments[0], MOST_AT_ONCE, MOST_AT_ONCE, MOST_AT_ONCE);
        exit(2);
    }
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *socket_path = NULL;
    struct session_settings settings = {.host = "127.0.0.1", .path = "/v1/live", .subprotocol = "belfry.v1",
        .events = {.opened = opened, .received = received, .ended = ended}};
    read_options(count, arguments, &settings, &socket_path);
    sessions = calloc(most + 1, sizeof *sessions);
    frames = calloc(user_count, sizeof *frames);
    backends = calloc(backend_count, sizeof *backends);
    if (!sessions || !frames || !backends) fail("out of memory");
    for (size_t i = 0; i < user_count; i++) frames[i].first = NONE;
    for (size_t i = 0; i < backend_count; i++) backends[i].answers.first = NONE;
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    publishers_begin(socket_path, backend_count, kind, on_answer);
    while (true) {
        /* Never sleeps while something is under way, else the server would pay for waking it. */
        sessions_poll(wanted ? 0 : -1, command);
        if (!wanted) continue;
        if (rate > 0) publish_due();
        publishers_poll();
    }
}
