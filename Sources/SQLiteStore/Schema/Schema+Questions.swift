extension Schema {
    /// Questions whose time ends, until they have an answer.
    static let questions = """
        CREATE TABLE question (
            inbox INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            answer_by INTEGER NOT NULL,
            event TEXT NOT NULL,
            fallback TEXT,
            PRIMARY KEY (inbox, notification)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX question_due ON question (answer_by);
        """
}
