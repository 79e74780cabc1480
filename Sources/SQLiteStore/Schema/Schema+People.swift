extension Schema {
    /// People's profiles and settings, and the sets of people that backends keep.
    ///
    /// `settings` is the person's choice and `profile` the backend's word, both as JSON. `email` is the profile's, for
    /// searches. `device_locale` and `device_zone` are those of the device registered last, and stand in where the
    /// profile has none. `topic.replacement` names the last call that replaced all members.
    ///
    /// `inbox_floor` has one row: no new inbox gets a number up to it, as erased people had those. `erasure` names
    /// deleted inboxes with rows still to be removed.
    static let people = """
        ALTER TABLE inbox ADD COLUMN settings TEXT;
        ALTER TABLE inbox ADD COLUMN profile TEXT;
        ALTER TABLE inbox ADD COLUMN email TEXT;
        ALTER TABLE inbox ADD COLUMN device_locale TEXT;
        ALTER TABLE inbox ADD COLUMN device_zone TEXT;
        CREATE INDEX inbox_email ON inbox (email) WHERE email IS NOT NULL;
        CREATE TABLE topic (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            replacement TEXT
        ) STRICT;
        CREATE TABLE topic_member (
            topic INTEGER NOT NULL,
            inbox INTEGER NOT NULL,
            PRIMARY KEY (topic, inbox)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_of ON topic_member (inbox);
        CREATE TABLE inbox_floor (id INTEGER NOT NULL) STRICT;
        INSERT INTO inbox_floor VALUES (0);
        CREATE TABLE erasure (inbox INTEGER PRIMARY KEY) STRICT;
        """

    /// The app of each person; NULL for the unnamed app, which has all people from before. Only named apps need the index:
    /// the unnamed app's inboxes are walked by their numbers. A person whose name looks like a named app's key gets the key
    /// of the unnamed app, as in ``AppName/key(_:)``: early versions took control characters.
    static let apps = """
        ALTER TABLE inbox ADD COLUMN app TEXT;
        CREATE INDEX inbox_of_app ON inbox (app, id) WHERE app IS NOT NULL;
        UPDATE inbox SET user = char(31, 31) || user WHERE user >= char(31) AND user < ' ';
        """

    /// Whose tokens are refused that were issued before a moment. `user` is the person's key: they need no inbox.
    static let revocations = """
        CREATE TABLE revocation (
            user TEXT NOT NULL PRIMARY KEY,
            issued_before INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
