import Postgres

/// A new store's schema, made beside the store's own in a transaction that is undone.
enum FreshSchema {
    private struct Undo: Error { let missing: [String] }

    /// What a new store would have, and this one has not: columns with their types, indexes and sequences.
    ///
    /// Empty if the user may not create a schema: then nothing is compared.
    static func missing(in connection: PostgresConnection) throws -> [String] {
        do {
            try connection.transaction {
                let own = try connection.run("SELECT current_schema()")[0].text(0)
                let found = Set(try declarations(of: own, connection))
                try connection.run("CREATE SCHEMA belfry_verify")
                try connection.run("SET LOCAL search_path TO belfry_verify")
                for step in Schema.steps { for statement in step { try connection.run(statement) } }
                throw Undo(missing: try declarations(of: "belfry_verify", connection).filter { !found.contains($0) })
            }
        } catch let undo as Undo {
            return undo.missing
        } catch let failure as PostgresFailure where failure.sqlState == "42501" || failure.meaning == .readOnly {
            return []
        }
        return []
    }

    private static func declarations(of schema: String, _ connection: PostgresConnection) throws -> [String] {
        try connection.run(
            """
            SELECT 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
                || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = $1 AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
            UNION ALL
            SELECT replace(indexdef, quote_ident(schemaname) || '.', '') FROM pg_indexes WHERE schemaname = $1
            UNION ALL
            SELECT 'sequence ' || sequencename FROM pg_sequences WHERE schemaname = $1
            ORDER BY 1
            """, [.text(schema)]
        ).map { try $0.text(0) }
    }
}
