import Postgres

extension Schema {
    /// Live Activities on devices, and what apps have told of them. `due` is the time of the next push; of one that is
    /// under way, it is the end of the lease. `state` is JSON: the rules read and write it whole.
    static let activities: [PostgresStatement] = [
        "CREATE TABLE activity_device (device int8 PRIMARY KEY, state bytea NOT NULL)",
        """
        CREATE TABLE activity (
            device int8 NOT NULL,
            key text COLLATE "C" NOT NULL,
            inbox int8 NOT NULL,
            provider int8 NOT NULL,
            due int8,
            is_sending bool NOT NULL,
            ends_at int8 NOT NULL,
            state bytea NOT NULL,
            PRIMARY KEY (device, key)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)
        """,
        "CREATE INDEX activity_due ON activity (provider, due) WHERE due IS NOT NULL",
        "CREATE INDEX activity_end ON activity (ends_at)",
    ]
}
