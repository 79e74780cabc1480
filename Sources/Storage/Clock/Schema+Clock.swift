extension Schema {
    /// One row at most, as ``ClockReading``.
    static let clock = """
        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            boot TEXT NOT NULL,
            offset INTEGER NOT NULL
        ) STRICT;
        """
}
