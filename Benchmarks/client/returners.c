/* Sessions of one user each, in one process and one thread, which come back when a gateway tells them to leave, and
 * keep account of every change of their inboxes: each `seq` once, whatever happens meanwhile.
 *
 * A session comes back after the time that `drain` told, or at once when it is closed with 4200 to 4299 without one,
 * and resumes where it was. One that cannot connect tries again after a while.
 *
 * Commands come on standard input, a line each:
 *   open N       until N sessions are open
 *   watch        from now on sessions may end; what happens is counted
 *   changes      says how many changes have come
 *   report       says what was counted
 *   write FILE   writes a line a session: the highest seq, how many below were missed, how many came twice
 * News go to standard output as a JSON object a line: {"open":N}, {"ready":N}, {"error":"…"}, {"returned":N} when all
 * who had left are back, {"written":N}, {"changes":N}, and as the answer to `report`
 *   {"left":…,"drained":…,"back":…,"attempts":…,"refused":…,…,"closedInSlot":…,"busiestSecond":…,"lastBack":…,
 *    "longestAway":…,"resets":…,"gaps":…,"unrecovered":…,"errors":…}
 *   `busiestSecond` is the highest number of attempts to connect in any second, `lastBack` when the last one was back,
 *   in seconds from the first word of leaving.
 */
#include "../lib/herd.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHANGES = 4096,
    MOST_ATTEMPTS = 1 << 20,
    POLL_MILLISECONDS = 2,
    RETRY_MILLISECONDS = 1000,
    STOP_FROM = 4000,
    BACK_OFF_FROM = 4100,
    COME_BACK_FROM = 4200,
    COME_BACK_TO = 4299,
    NAME_BYTES = 48,
};

struct returner {
    struct session session;
    char epoch[NAME_BYTES];
    /* The position to resume from: the highest seq that came. */
    int64_t seq;
    int64_t first_seq;
    uint32_t twice;
    bool is_back;
    int close_code;
    /* When to connect again, 0 if there is no reason to; and since when it has been away. */
    uint64_t return_at, left_at;
    uint8_t seen[MOST_CHANGES / 8];
};

static struct returner *returners;
static char **tokens;
static size_t token_count;
static bool is_watching;
static uint64_t *attempts;
static size_t attempt_count, away;
static size_t change_count, ends[END_COUNT], left, drained, back, resets, gaps, unrecovered, errors, closed_in_slot;
static uint64_t first_word, last_back, longest_away;

static size_t index_of(const struct session *session) { return (size_t)((const struct returner *)session - returners); }

/* ---- Coming and going ---- */

static void connect_one(size_t index) {
    struct returner *returner = &returners[index];
    returner->close_code = 0;
    returner->return_at = 0;
    if (is_watching) {
        if (attempt_count == MOST_ATTEMPTS) fail("more than %d attempts to connect", MOST_ATTEMPTS);
        attempts[attempt_count++] = now();
    }
    session_connect(&returner->session, index, tokens[index % token_count], false);
}

static void opened(struct session *session) {
    const struct returner *returner = (const struct returner *)session;
    char json[256];
    if (!*returner->epoch) snprintf(json, sizeof json, "{\"type\":\"hello\",\"active\":true}");
    else snprintf(json, sizeof json,
        "{\"type\":\"hello\",\"active\":true,\"resume\":{\"epoch\":\"%s\",\"seq\":%lld}}", returner->epoch,
        (long long)returner->seq);
    session_send_text(session, json);
}

static void word_of_leaving(void) { if (!first_word) first_word = now(); }

static void leave(struct returner *returner) {
    if (!returner->is_back) return;
    returner->is_back = false;
    returner->left_at = now();
    left++;
    away++;
}

static void arrive(struct returner *returner) {
    if (returner->is_back) return;
    returner->is_back = true;
    if (!returner->left_at) {
        herd_opened();
        return;
    }
    last_back = now();
    if (last_back - returner->left_at > longest_away) longest_away = last_back - returner->left_at;
    back++;
    if (--away == 0) printf("{\"returned\":%zu}\n", back);
}

static void ended(struct session *session, enum session_end end, const char *why) {
    struct returner *returner = (struct returner *)session;
    if (!is_watching) fail("session %zu: %s: %s", index_of(session), session_end_names[end], why);
    bool may_return = returner->close_code >= COME_BACK_FROM && returner->close_code <= COME_BACK_TO;
    if (returner->close_code >= STOP_FROM && returner->close_code < BACK_OFF_FROM)
        fail("session %zu was closed with %d", index_of(session), returner->close_code);
    word_of_leaving();
    if (!may_return) ends[end]++;
    leave(returner);
    if (returner->return_at) {
        /* Told its slot before: the close comes with it, give or take the way. */
        closed_in_slot++;
        return;
    }
    returner->return_at = now() + (may_return ? 0 : RETRY_MILLISECONDS * 1000000ull);
}

static void return_due(void) {
    uint64_t time = now();
    for (size_t i = 0; i < herd_size(); i++) {
        struct returner *returner = &returners[i];
        if (!returner->return_at || returner->return_at > time) continue;
        leave(returner);
        session_drop(&returner->session);
        connect_one(i);
    }
}

/* ---- Input ---- */

static void changed(struct returner *returner, int64_t seq) {
    if (seq < 0) fail("a change without a seq");
    int64_t place = seq - returner->first_seq;
    if (place <= 0 || place >= MOST_CHANGES)
        fail("seq %lld after %lld", (long long)seq, (long long)returner->first_seq);
    uint8_t bit = (uint8_t)(1 << place % 8);
    if (returner->seen[place / 8] & bit) returner->twice++;
    else change_count++;
    returner->seen[place / 8] |= bit;
    if (seq > returner->seq) returner->seq = seq;
}

static void greeted(struct returner *returner) {
    const struct frame_reader *reader = &returner->session.reader;
    char epoch[NAME_BYTES];
    int64_t seq = frame_number(reader, "seq");
    if (!frame_text(reader, "epoch", epoch, sizeof epoch) || seq < 0) fail("ready lacks epoch or seq");
    if (!*returner->epoch) {
        returner->seq = returner->first_seq = seq;
    } else if (strcmp(epoch, returner->epoch) != 0 || seq < returner->seq) {
        /* Another history than the one it has seen. */
        unrecovered++;
    }
    memcpy(returner->epoch, epoch, sizeof epoch);
    arrive(returner);
}

static void told_to_leave(struct returner *returner) {
    int64_t delay = frame_number(&returner->session.reader, "reconnectIn");
    if (delay < 0) fail("drain does not tell when to come back");
    word_of_leaving();
    drained++;
    returner->return_at = now() + (uint64_t)delay * 1000000;
}

static void received(struct session *session) {
    struct returner *returner = (struct returner *)session;
    const struct frame_reader *reader = &session->reader;
    if (frame_opcode(reader) == OPCODE_CLOSE) returner->close_code = frame_close_code(reader);
    if (frame_opcode(reader) != OPCODE_TEXT) return;
    bool is_change = frame_has_type(reader, "new") || frame_has_type(reader, "update");
    if (is_change) changed(returner, frame_number(reader, "seq"));
    else if (frame_has_type(reader, "ready")) greeted(returner);
    else if (frame_has_type(reader, "drain")) told_to_leave(returner);
    else if (frame_has_type(reader, "reset") && returner->left_at) resets++;
    else if (frame_has_type(reader, "gap")) gaps++;
    else if (frame_has_type(reader, "error") && is_watching) errors++;
    else if (frame_has_type(reader, "error"))
        fail("session %zu got %.*s", index_of(session), reader->kept_bytes, (const char *)reader->kept);
}

/* ---- Results ---- */

static size_t busiest_second(void) {
    size_t most = 0, first = 0;
    for (size_t last = 0; last < attempt_count; last++) {
        while (attempts[last] - attempts[first] >= 1000000000) first++;
        if (last - first + 1 > most) most = last - first + 1;
    }
    return most;
}

static void report(void) {
    printf("{\"left\":%zu,\"drained\":%zu,\"back\":%zu,\"attempts\":%zu", left, drained, back, attempt_count);
    for (int end = 0; end < END_COUNT; end++) printf(",\"%s\":%zu", session_end_names[end], ends[end]);
    printf(",\"closedInSlot\":%zu,\"busiestSecond\":%zu,\"lastBack\":%.3f,\"longestAway\":%.3f,\"resets\":%zu,"
        "\"gaps\":%zu,\"unrecovered\":%zu,\"errors\":%zu}\n", closed_in_slot, busiest_second(),
        last_back ? (double)(last_back - first_word) / 1e9 : 0.0, (double)longest_away / 1e9, resets, gaps,
        unrecovered, errors);
}

static void write_account(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) fail("%s: %s", path, strerror(errno));
    for (size_t i = 0; i < herd_size(); i++) {
        const struct returner *returner = &returners[i];
        size_t missed = 0;
        for (int64_t place = 1; place <= returner->seq - returner->first_seq; place++)
            missed += !(returner->seen[place / 8] >> place % 8 & 1);
        fprintf(file, "%lld %zu %u\n", (long long)(returner->seq - returner->first_seq), missed, returner->twice);
    }
    if (fclose(file) != 0) fail("%s: %s", path, strerror(errno));
    printf("{\"written\":%zu}\n", herd_size());
}

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "open %zu", &count) == 1) herd_open(count);
    else if (strcmp(line, "watch") == 0) is_watching = true;
    else if (strcmp(line, "changes") == 0) printf("{\"changes\":%zu}\n", change_count);
    else if (strcmp(line, "report") == 0) report();
    else if (strncmp(line, "write ", 6) == 0) write_account(line + 6);
    else fail("unknown command: %s", line);
}

/* ---- Start ---- */

static size_t read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'}, {"connections", required_argument, NULL, 'n'},
        {"tokens", required_argument, NULL, 't'}, {"tls", no_argument, NULL, 's'}, {0},
    };
    size_t most = 0;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 't': tokens = read_lines(optarg, &token_count); break;
        case 's': stream_use_tls(); break;
        default: exit(2);
        }
    }
    if (settings->port <= 0 || most == 0 || !tokens || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST --tokens FILE [--tls]\n", arguments[0]);
        exit(2);
    }
    return most;
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {
        .host = "127.0.0.1", .path = "/v1/live", .subprotocol = "belfry.v1",
        .events = {.opened = opened, .received = received, .ended = ended}};
    size_t most = read_options(count, arguments, &settings);
    returners = calloc(most, sizeof *returners);
    attempts = malloc(MOST_ATTEMPTS * sizeof *attempts);
    if (!returners || !attempts) fail("out of memory");
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    while (true) {
        sessions_poll(POLL_MILLISECONDS, command);
        if (is_watching) return_due();
    }
}
