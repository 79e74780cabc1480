-- The tables, indexes and views of a new store, as the migrations leave them. Nothing reads this file but a test,
-- which compares the two. A change of the schema is a migration, and a change here.

-- One row a person of an app; user is the person's key. The counts may be behind: the view inbox_state tells them.
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL UNIQUE,
    epoch TEXT NOT NULL CHECK (epoch <> ''),
    seq INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    unseen INTEGER NOT NULL,
    total INTEGER NOT NULL,
    devices INTEGER NOT NULL,
    settings TEXT,
    profile TEXT,
    email TEXT,
    device_locale TEXT,
    device_zone TEXT,
    app TEXT
) STRICT;
CREATE INDEX inbox_of_app ON inbox (app, id) WHERE app IS NOT NULL;
CREATE INDEX inbox_email ON inbox (email) WHERE email IS NOT NULL;

-- The counts of each inbox as they are: a notification newer than the row of inbox holds those right after it.
CREATE VIEW inbox_state AS
    SELECT inbox.id AS id, user, epoch, coalesce(newest.id, inbox.seq) AS seq,
        coalesce(newest.unread_after, unread) AS unread, coalesce(newest.unseen_after, unseen) AS unseen,
        total + coalesce(newest.id - inbox.seq, 0) AS total,
        devices, settings, profile, device_locale, device_zone
    FROM inbox LEFT JOIN notification AS newest ON newest.inbox = inbox.id AND newest.id > inbox.seq
        AND newest.id = (SELECT max(id) FROM notification WHERE inbox = inbox.id);

-- One row: no new inbox gets a number up to it, as erased people had those.
CREATE TABLE inbox_floor (id INTEGER NOT NULL) STRICT;

-- Deleted inboxes with rows still to be removed.
CREATE TABLE erasure (inbox INTEGER PRIMARY KEY) STRICT;

-- The sets of people that backends keep. replacement names the last call that replaced all members.
CREATE TABLE topic (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    replacement TEXT
) STRICT;

-- The members of topics.
CREATE TABLE topic_member (
    topic INTEGER NOT NULL,
    inbox INTEGER NOT NULL,
    PRIMARY KEY (topic, inbox)
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_of ON topic_member (inbox);

-- What notifications show; uses counts those that show it, and it goes with the last of them.
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    text TEXT NOT NULL,
    body BLOB NOT NULL,
    batch BLOB,
    push BLOB,
    uses INTEGER NOT NULL,
    actor TEXT,
    group_name TEXT,
    group_text BLOB
) STRICT;

-- Inboxes' notifications. id is the seq at which one came, and place orders the list. batch_key is set while its
-- batch may grow; stored_at is NULL where it equals created_at.
CREATE TABLE notification (
    inbox INTEGER NOT NULL,
    id INTEGER NOT NULL,
    content INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    is_read INTEGER NOT NULL,
    is_seen INTEGER NOT NULL,
    unread_after INTEGER NOT NULL,
    unseen_after INTEGER NOT NULL,
    batch_key TEXT,
    stored_at INTEGER,
    place INTEGER NOT NULL DEFAULT 0,
    type_mark INTEGER NOT NULL DEFAULT 0,
    group_mark INTEGER,
    fresh INTEGER NOT NULL DEFAULT 0,
    fresh_from TEXT,
    PRIMARY KEY (inbox, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_batch ON notification (inbox, batch_key) WHERE batch_key IS NOT NULL;
CREATE INDEX notification_raised ON notification (inbox, place) WHERE place <> id;

-- Stretches of read notifications in an inbox's list, by place, so that a list of unread ones skips them.
CREATE TABLE read_span (
    inbox INTEGER NOT NULL,
    last INTEGER NOT NULL,
    first INTEGER NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (inbox, last)
) WITHOUT ROWID;

-- The log of changes of each inbox, except the arrival of notifications that still exist.
CREATE TABLE change (
    inbox INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    reference INTEGER,
    ids TEXT,
    unread INTEGER NOT NULL,
    unseen INTEGER NOT NULL,
    delta INTEGER NOT NULL,
    PRIMARY KEY (inbox, seq)
) STRICT, WITHOUT ROWID;

-- Events for many people, which are delivered page by page. json is the event, NULL once all have it; ended_at and
-- problem say when and why it ended. everybody: the inboxes behind after_inbox, up to last_inbox, are still to come.
CREATE TABLE broadcast (
    id INTEGER PRIMARY KEY,
    event TEXT NOT NULL UNIQUE,
    publisher TEXT NOT NULL,
    key TEXT,
    json BLOB,
    everybody TEXT,
    after_inbox INTEGER NOT NULL,
    last_inbox INTEGER NOT NULL,
    total INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    suppressed INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    ended_at INTEGER,
    problem TEXT
) STRICT;
CREATE INDEX broadcast_end ON broadcast (ended_at);

-- The recipients of a broadcast's page, until they have it.
CREATE TABLE broadcast_page (
    id INTEGER PRIMARY KEY,
    broadcast INTEGER NOT NULL,
    recipients BLOB NOT NULL
) STRICT;
CREATE INDEX broadcast_page_of ON broadcast_page (broadcast);

-- The inboxes that no later page of a broadcast to everybody may reach again.
CREATE TABLE broadcast_known (
    broadcast INTEGER NOT NULL,
    inbox INTEGER NOT NULL,
    PRIMARY KEY (broadcast, inbox)
) STRICT, WITHOUT ROWID;

-- Where pushes go: one row an installation of an app. badge is the number that the last accepted push has set.
CREATE TABLE device (
    row INTEGER PRIMARY KEY,
    inbox INTEGER NOT NULL,
    app TEXT NOT NULL,
    id TEXT NOT NULL,
    provider TEXT NOT NULL,
    token TEXT NOT NULL,
    p256dh BLOB,
    auth BLOB,
    platform TEXT,
    environment TEXT,
    locale TEXT,
    zone TEXT,
    permission TEXT,
    registered_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    badge INTEGER,
    badge_rule TEXT,
    registrar INTEGER NOT NULL DEFAULT 0,
    scope TEXT,
    expires_at INTEGER,
    UNIQUE (inbox, app, id),
    UNIQUE (provider, token)
) STRICT;
CREATE INDEX device_name ON device (id, app, last_seen_at);
CREATE INDEX device_last_seen ON device (last_seen_at);

-- The waiting pushes, in the order in which they leave: place is the provider, the time and the turn, number the
-- device and the notification.
CREATE TABLE push_job (
    place INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    is_fallback INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    expiry INTEGER NOT NULL,
    fold_key TEXT,
    fold INTEGER,
    collapse TEXT,
    withdrawn TEXT,
    seq INTEGER,
    deadline INTEGER,
    held_from INTEGER,
    is_shown INTEGER NOT NULL DEFAULT 0,
    shown_as TEXT,
    content INTEGER
) STRICT;
CREATE INDEX push_job_fold ON push_job (fold_key, number) WHERE fold_key IS NOT NULL;

-- What each device shows: the marks of its accepted pushes, one after the other.
CREATE TABLE push_mark (device INTEGER PRIMARY KEY, marks BLOB NOT NULL) STRICT;

-- Notifications that are pushed and never stand in an inbox.
CREATE TABLE push_only (
    inbox INTEGER NOT NULL,
    id INTEGER NOT NULL,
    content INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    batch_key TEXT,
    PRIMARY KEY (inbox, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_only_batch ON push_only (inbox, batch_key) WHERE batch_key IS NOT NULL;
CREATE INDEX push_only_age ON push_only (stored_at);

-- How many pushes with one fold key a person got in the current hour.
CREATE TABLE push_pace (
    inbox INTEGER NOT NULL,
    fold_key TEXT NOT NULL,
    start INTEGER NOT NULL,
    count INTEGER NOT NULL,
    has_waiting INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (inbox, fold_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_pace_end ON push_pace (ends_at);

-- Feeds, from their first item on. Changes up to the offset trimmed may be gone.
CREATE TABLE feed (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    epoch TEXT NOT NULL CHECK (epoch <> ''),
    trimmed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Feed items. Each row also holds the feed's tip as of that item: author, and the newest earlier item by another.
CREATE TABLE feed_item (
    feed INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    published_at INTEGER NOT NULL,
    author TEXT,
    other INTEGER,
    other_at INTEGER,
    item_id TEXT,
    json BLOB NOT NULL,
    PRIMARY KEY (feed, offset)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX feed_item_id ON feed_item (feed, item_id) WHERE item_id IS NOT NULL;

-- The tags of feed items.
CREATE TABLE feed_tag (
    feed INTEGER NOT NULL,
    tag TEXT NOT NULL,
    offset INTEGER NOT NULL,
    PRIMARY KEY (feed, tag, offset)
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_tag_offset ON feed_tag (feed, offset);

-- Changes of feed items: each has an offset of its own in its feed.
CREATE TABLE feed_change (
    feed INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    published_at INTEGER NOT NULL,
    target INTEGER NOT NULL,
    is_removal INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    tags TEXT NOT NULL,
    PRIMARY KEY (feed, offset)
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_change_target ON feed_change (feed, target, offset);

-- How far people have viewed feeds.
CREATE TABLE feed_mark (
    inbox INTEGER NOT NULL,
    feed INTEGER NOT NULL,
    viewed INTEGER NOT NULL,
    PRIMARY KEY (inbox, feed)
) STRICT, WITHOUT ROWID;

-- One row: feeds without an item yet make their epochs from it.
CREATE TABLE store_epoch (epoch TEXT NOT NULL CHECK (epoch <> '')) STRICT;

-- The trail of events: what came, and what became of it for each recipient. Also holds the idempotency keys:
-- fingerprint is set while the event holds its key, and recipients to suppressed are its answer.
CREATE TABLE trail_event (
    event TEXT NOT NULL,
    page INTEGER NOT NULL,
    publisher TEXT NOT NULL,
    key TEXT,
    type TEXT NOT NULL,
    actor TEXT,
    occurred_at INTEGER,
    accepted_at INTEGER NOT NULL,
    verdicts BLOB NOT NULL,
    data BLOB,
    repeats INTEGER NOT NULL DEFAULT 0,
    repeated_at INTEGER,
    retracted INTEGER NOT NULL DEFAULT 0,
    retracted_at INTEGER,
    fingerprint INTEGER,
    recipients INTEGER,
    created INTEGER,
    updated INTEGER,
    suppressed INTEGER,
    PRIMARY KEY (event, page)
) STRICT, WITHOUT ROWID;
CREATE INDEX trail_key ON trail_event (publisher, key, retracted_at) WHERE key IS NOT NULL;

-- The trail of single notifications, step by step.
CREATE TABLE trail_step (
    number INTEGER PRIMARY KEY,
    inbox INTEGER NOT NULL,
    notification INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT,
    place INTEGER,
    provider TEXT,
    device TEXT
) STRICT;
CREATE INDEX trail_step_of ON trail_step (inbox, notification);

-- Webhooks that are to be sent, and dead letters, which have no due time.
CREATE TABLE webhook (
    id TEXT NOT NULL PRIMARY KEY,
    endpoint TEXT NOT NULL,
    inbox INTEGER NOT NULL,
    due INTEGER,
    buried_at INTEGER,
    failures INTEGER NOT NULL,
    reason TEXT,
    body BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_due ON webhook (endpoint, due) WHERE due IS NOT NULL;
CREATE INDEX webhook_dead ON webhook (endpoint, buried_at) WHERE buried_at IS NOT NULL;
CREATE INDEX webhook_inbox ON webhook (inbox);

-- Questions whose time ends, until they have an answer.
CREATE TABLE question (
    inbox INTEGER NOT NULL,
    notification INTEGER NOT NULL,
    answer_by INTEGER NOT NULL,
    event TEXT NOT NULL,
    fallback TEXT,
    PRIMARY KEY (inbox, notification)
) STRICT, WITHOUT ROWID;
CREATE INDEX question_due ON question (answer_by);

-- What apps have told of Live Activities on their devices.
CREATE TABLE activity_device (
    device INTEGER PRIMARY KEY,
    state BLOB NOT NULL
) STRICT;

-- Live Activities on devices, with what they are to be told.
CREATE TABLE activity (
    device INTEGER NOT NULL,
    key TEXT NOT NULL,
    inbox INTEGER NOT NULL,
    provider INTEGER NOT NULL,
    due INTEGER,
    is_sending INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (device, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX activity_due ON activity (provider, due) WHERE due IS NOT NULL;
CREATE INDEX activity_end ON activity (ends_at);

-- Whose tokens are refused that were issued before a moment.
CREATE TABLE revocation (
    user TEXT NOT NULL PRIMARY KEY,
    issued_before INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- At most one row: the clock reading that the last process left.
CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    boot TEXT NOT NULL,
    offset INTEGER NOT NULL
) STRICT;

-- The migrations that the store has had, by GRDB.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
