extension Schema {
    /// What the epochs of feeds are made of that have had no item yet, and keep when they begin
    /// (``FeedReader/firstEpoch(of:)``): whoever is given a place in one has an epoch, too, and for a feed that anybody
    /// may name nothing is written. A restore draws another.
    static let storeEpoch = """
        CREATE TABLE store_epoch (epoch TEXT NOT NULL CHECK (epoch <> '')) STRICT;
        INSERT INTO store_epoch VALUES (lower(hex(randomblob(10))));
        """
}
