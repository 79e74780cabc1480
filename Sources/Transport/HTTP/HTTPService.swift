package import WireProtocol

/// What a listener serves; one instance a shard, called on that shard.
package protocol HTTPService: AnyObject {
    /// Decides about a request as soon as its head is there, before any of its body.
    ///
    /// - Parameter memory: whatever the service wants to find again at the next request of the same connection; goes with
    ///   the connection, or when that becomes a WebSocket.
    func receive(
        _ head: HTTPRequestHead, from peer: Peer, remembering memory: inout AnyObject?, _ on: borrowing OnShard
    ) -> HTTPDisposition
}
