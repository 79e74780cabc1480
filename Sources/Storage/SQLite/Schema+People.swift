extension Schema {
    /// Who a person is and what they have chosen, and the sets of people that backends keep.
    ///
    /// `settings` is what the person has chosen, `profile` what the backend says, both as JSON; `email` is the profile's, so
    /// that a person is found by it.
    static let people = """
        ALTER TABLE inbox ADD COLUMN settings TEXT;
        ALTER TABLE inbox ADD COLUMN profile TEXT;
        ALTER TABLE inbox ADD COLUMN email TEXT;
        CREATE INDEX inbox_email ON inbox (email) WHERE email IS NOT NULL;
        CREATE TABLE topic (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE topic_member (
            topic INTEGER NOT NULL,
            inbox INTEGER NOT NULL,
            PRIMARY KEY (topic, inbox)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_of ON topic_member (inbox);
        """
}
