/* Sessions of one user each, in one process and one thread, which all leave at once and all come back at once, resuming
 * where they were. With --floor they only upgrade, which is all that floor/upgrade.c can.
 *
 * Commands come on standard input, a line each:
 *   open N      until N sessions are open
 *   leave       closes them all without a word
 *   return K    opens them again, as many at a time as --at-once says, each with its position; a session is back when
 *               it is greeted and has got the K changes that it missed, or was told to start anew
 * News go to standard output as a JSON object a line: {"open":N}, {"ready":N}, {"error":"…"}, {"left":N}, and
 *   {"back":N,"seconds":…,"recovered":R,"changes":C,"p50":…,"p99":…,"max":…}, times in µs from a session's connect
 */
#include "../lib/delays.h"
#include "../lib/herd.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 48 };

struct client {
    struct session session;
    char epoch[NAME_BYTES];
    /* The position to resume from: the highest seq that came. */
    int64_t seq;
    uint64_t began;
    uint32_t missed;
    bool is_greeted, is_back;
};

static struct client *clients;
static char **tokens;
static size_t token_count, most, at_once = 1000;
static bool is_floor;
/* The storm under way. */
static bool is_returning;
static size_t begun, back, recovered, changes;
static uint32_t expected;
static uint64_t began;

static size_t index_of(const struct session *session) { return (size_t)((const struct client *)session - clients); }

static void connect_one(size_t index) {
    struct client *client = &clients[index];
    client->is_greeted = client->is_back = false;
    client->missed = 0;
    client->began = now();
    session_connect(&client->session, index, tokens[index % token_count], false);
}

static void connect_more(void) { while (begun < herd_size() && begun - back < at_once) connect_one(begun++); }

static void finish(void) {
    is_returning = false;
    printf("{\"back\":%zu,\"seconds\":%.6f,\"recovered\":%zu,\"changes\":%zu,", back, (double)(now() - began) / 1e9,
        recovered, changes);
    delays_print();
    printf("}\n");
}

static void arrive(struct client *client) {
    client->is_back = true;
    if (!is_returning) {
        herd_opened();
        return;
    }
    delays_note(client->began);
    if (++back == herd_size()) finish();
}

static void opened(struct session *session) {
    struct client *client = (struct client *)session;
    char json[256];
    if (is_floor) return arrive(client);
    if (!*client->epoch) snprintf(json, sizeof json, "{\"type\":\"hello\",\"active\":true}");
    else snprintf(json, sizeof json,
        "{\"type\":\"hello\",\"active\":true,\"resume\":{\"epoch\":\"%s\",\"seq\":%" PRId64 "}}", client->epoch,
        client->seq);
    session_send_text(session, json);
}

static void greeted(struct client *client) {
    const struct frame_reader *reader = &client->session.reader;
    int64_t seq = frame_number(reader, "seq");
    if (seq < 0 || !frame_text(reader, "epoch", client->epoch, sizeof client->epoch)) fail("ready lacks epoch or seq");
    client->is_greeted = true;
    if (is_returning && expected > 0) return;
    client->seq = seq;
    arrive(client);
}

static void changed(struct client *client) {
    int64_t seq = frame_number(&client->session.reader, "seq");
    if (seq <= client->seq) fail("session %zu: seq %" PRId64 " again", index_of(&client->session), seq);
    client->seq = seq;
    changes++;
    if (++client->missed < expected || client->is_back) return;
    if (!client->is_greeted) fail("session %zu got a change before it was greeted", index_of(&client->session));
    recovered++;
    arrive(client);
}

static void started_anew(struct client *client) {
    client->seq = frame_number(&client->session.reader, "seq");
    if (is_returning && !client->is_back) arrive(client);
}

static void received(struct session *session) {
    struct client *client = (struct client *)session;
    const struct frame_reader *reader = &session->reader;
    if (frame_opcode(reader) == OPCODE_CLOSE)
        fail("session %zu was closed: %d", index_of(session), frame_close_code(reader));
    if (frame_has_type(reader, "new") || frame_has_type(reader, "update")) changed(client);
    else if (frame_has_type(reader, "ready")) greeted(client);
    else if (frame_has_type(reader, "reset")) started_anew(client);
    else if (frame_has_type(reader, "error") || frame_has_type(reader, "gap"))
        fail("session %zu got %.*s", index_of(session), reader->kept_bytes, (const char *)reader->kept);
}

static void ended(struct session *session, enum session_end end, const char *why) {
    fail("session %zu: %s: %s", index_of(session), session_end_names[end], why);
}

/* ---- Commands ---- */

static void leave(void) {
    for (size_t i = 0; i < herd_size(); i++) session_drop(&clients[i].session);
    printf("{\"left\":%zu}\n", herd_size());
}

static void return_all(uint32_t missed) {
    is_returning = true;
    expected = missed;
    begun = back = recovered = changes = 0;
    delays_begin(herd_size());
    began = now();
    connect_more();
}

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "open %zu", &count) == 1) herd_open(count);
    else if (strcmp(line, "leave") == 0) leave();
    else if (sscanf(line, "return %zu", &count) == 1) return_all((uint32_t)count);
    else fail("unknown command: %s", line);
}

static size_t read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'}, {"connections", required_argument, NULL, 'n'},
        {"tokens", required_argument, NULL, 't'}, {"at-once", required_argument, NULL, 'o'},
        {"floor", no_argument, NULL, 'f'}, {"tls", no_argument, NULL, 's'}, {0},
    };
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 't': tokens = read_lines(optarg, &token_count); break;
        case 'o': at_once = strtoul(optarg, NULL, 10); break;
        case 'f': is_floor = true; break;
        case 's': stream_use_tls(); break;
        default: exit(2);
        }
    }
    if (settings->port <= 0 || most == 0 || !tokens || at_once == 0 || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST --tokens FILE [--at-once N] [--floor] [--tls]\n",
            arguments[0]);
        exit(2);
    }
    return most;
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {.host = "127.0.0.1", .path = "/v1/live", .subprotocol = "belfry.v1",
        .events = {.opened = opened, .received = received, .ended = ended}};
    read_options(count, arguments, &settings);
    clients = calloc(most, sizeof *clients);
    if (!clients) fail("out of memory");
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    while (true) {
        /* While they come back it never sleeps: the server would pay for waking it. */
        sessions_poll(is_returning ? 0 : -1, command);
        if (is_returning) connect_more();
    }
}
