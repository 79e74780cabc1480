import Verification

/// An invariant of rows that only this engine has.
struct OwnCheck {
    let name: String
    let meaning: String
    /// Selects the rows' names.
    let query: String
    let mends: [String]

    static let all = lines + sequences

    /// A device without its place in its provider's order gets no push.
    private static let lines = [
        OwnCheck(
            name: "places of devices", meaning: "devices with a waiting push that no provider's order has",
            query: "SELECT DISTINCT 'device ' || job.device FROM push_job AS job WHERE \(isLineless)",
            mends: [
                """
                INSERT INTO push_line (device, provider, next_at, next_turn, first_due)
                SELECT DISTINCT ON (device) device, provider, due, turn, due FROM push_job AS job WHERE \(isLineless)
                ORDER BY device, due, turn
                """
            ]),
        OwnCheck(
            name: "first pushes of devices", meaning: "devices whose first push waits longer than it should",
            query: "SELECT 'device ' || line.device FROM push_line AS line WHERE \(isLate)",
            mends: [
                """
                UPDATE push_line AS line SET first_due = (SELECT min(due) FROM push_job WHERE device = line.device)
                WHERE \(isLate)
                """
            ]),
    ]

    private static let isLineless = "NOT EXISTS (SELECT 1 FROM push_line WHERE push_line.device = job.device)"

    private static let isLate = """
        line.first_due > (SELECT min(due) FROM push_job AS job WHERE job.device = line.device
            AND (line.notification IS NULL OR job.notification <> line.notification))
        """

    /// A new row must not get the number of another one.
    private static let sequences = [
        ("inbox", "id"), ("content", "id"), ("topic", "id"), ("feed", "id"), ("broadcast", "id"),
        ("trail_step", "number"),
    ].map { table, column in
        let sequence = "pg_get_serial_sequence('\(table)', '\(column)')"
        return OwnCheck(
            name: "numbers of \(table)", meaning: "a new row would get a number that another one has",
            query: """
                SELECT '\(table).\(column)' WHERE (SELECT max(\(column)) FROM "\(table)")
                    > coalesce(pg_sequence_last_value(\(sequence)::regclass), 0)
                """,
            mends: ["SELECT setval(\(sequence), (SELECT max(\(column)) FROM \"\(table)\"))"])
    }
}
