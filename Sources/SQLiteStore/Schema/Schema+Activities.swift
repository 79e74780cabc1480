extension Schema {
    /// Live Activities on devices, and what apps have told of them. `due` is the time of the next push; of one that is
    /// under way, it is the end of the lease. `state` is JSON: the rules read and write it whole.
    static let activities = """
        CREATE TABLE activity_device (
            device INTEGER PRIMARY KEY,
            state BLOB NOT NULL
        ) STRICT;

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
        """
}
