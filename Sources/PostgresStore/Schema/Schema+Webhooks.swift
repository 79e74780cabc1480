import Postgres

extension Schema {
    /// Webhooks for endpoints. `due` is the time of the next try. Of one that was handed out it is the end of the
    /// lease. A dead letter has `buried_at` in its place.
    static let webhooks: [PostgresStatement] = [
        """
        CREATE TABLE webhook (
            id text COLLATE "C" PRIMARY KEY,
            endpoint text COLLATE "C" NOT NULL,
            inbox int8 NOT NULL,
            due int8,
            buried_at int8,
            failures int8 NOT NULL,
            reason text,
            body bytea NOT NULL
        ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)
        """,
        "CREATE INDEX webhook_due ON webhook (endpoint, due) WHERE due IS NOT NULL",
        "CREATE INDEX webhook_dead ON webhook (endpoint, buried_at) WHERE buried_at IS NOT NULL",
        "CREATE INDEX webhook_inbox ON webhook (inbox)",
    ]
}
