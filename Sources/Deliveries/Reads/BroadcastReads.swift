package import Store

/// Reads the progress of broadcasts.
package protocol BroadcastReads {
    /// The events that have not reached all their people, the oldest first.
    func open() throws -> [String]
    func broadcast(of event: String) throws -> Broadcast?
}
