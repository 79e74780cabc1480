extension Schema {
    /// The app of each person; NULL for the unnamed app, which has all people from before. Only named apps need the index:
    /// the unnamed app's inboxes are walked by their numbers. A person whose name looks like a named app's key gets the key
    /// of the unnamed app, as in ``AppName/key(_:)``: early versions took control characters.
    static let apps = """
        ALTER TABLE inbox ADD COLUMN app TEXT;
        CREATE INDEX inbox_of_app ON inbox (app, id) WHERE app IS NOT NULL;
        UPDATE inbox SET user = char(31, 31) || user WHERE user >= char(31) AND user < ' ';
        """
}
