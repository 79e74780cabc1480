extension Schema {
    /// Holds at most one row, a ``ClockReading``.
    static let clock = """
        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            boot TEXT NOT NULL,
            offset INTEGER NOT NULL
        ) STRICT;
        """
}
