/// How many readers a pool has, and who may wait for them.
package struct PostgresPoolOptions: Hashable, Sendable {
    /// Connections, each with a queue; at least one.
    package var readers = 4
    /// How many jobs may wait for a reader; the next one is refused.
    package var waiting = 256
    /// How long a job waits for a reader.
    package var patience = Duration.seconds(5)

    package init() {}
}
