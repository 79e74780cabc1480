import Deliveries

/// Where the two engines' tables, and so the texts of checks, differ.
package struct Dialect: Sendable {
    /// A source of rows: the waiting pushes with the columns `device`, `notification`, `content`, and those of `jobKey`.
    package let jobs: String
    /// The columns that name a row of `push_job`.
    let jobKey: String
    /// An expression for a new random epoch, another one for each row.
    let newEpoch: String

    /// A queue's row holds the device and the notification in one number (``Deliveries/PushJobNumber``).
    package static let sqlite = Dialect(
        jobs: """
            (SELECT place, content, (number + \(PushJobNumber.badges)) >> \(PushJobNumber.bits) AS device,
                number - (((number + \(PushJobNumber.badges)) >> \(PushJobNumber.bits)) << \(PushJobNumber.bits))
                    AS notification
            FROM push_job)
            """, jobKey: "place", newEpoch: "lower(hex(randomblob(8)))")

    /// Both ends of a random UUID are random.
    package static let postgres = Dialect(
        jobs: "(SELECT device, notification, content FROM push_job)", jobKey: "device, notification",
        newEpoch: "left(gen_random_uuid()::text, 8) || right(gen_random_uuid()::text, 7)")
}
