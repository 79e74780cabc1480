extension Schema {
    /// The app of each person; NULL for the unnamed app, which has all people from before. Only named apps need the index:
    /// the unnamed app's inboxes are walked by their numbers.
    static let apps = """
        ALTER TABLE inbox ADD COLUMN app TEXT;
        CREATE INDEX inbox_of_app ON inbox (app, id) WHERE app IS NOT NULL;
        """
}
