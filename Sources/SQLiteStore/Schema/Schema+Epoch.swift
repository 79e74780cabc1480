extension Schema {
    /// Feeds without an item yet make their epochs from this one, and keep them when they begin
    /// (``FeedReader/firstEpoch(of:)``). So a place in such a feed has an epoch, and nothing is written for a feed that
    /// anybody may name. A restore draws another.
    static let storeEpoch = """
        CREATE TABLE store_epoch (epoch TEXT NOT NULL CHECK (epoch <> '')) STRICT;
        INSERT INTO store_epoch VALUES (lower(hex(randomblob(10))));
        """
}
