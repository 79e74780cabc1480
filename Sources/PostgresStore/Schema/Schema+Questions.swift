import Postgres

extension Schema {
    /// Questions whose time ends, until they have an answer.
    static let questions: [PostgresStatement] = [
        """
        CREATE TABLE question (
            inbox int8 NOT NULL,
            notification int8 NOT NULL,
            answer_by int8 NOT NULL,
            event text COLLATE "C" NOT NULL,
            fallback text,
            PRIMARY KEY (inbox, notification)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)
        """,
        "CREATE INDEX question_due ON question (answer_by)",
    ]
}
