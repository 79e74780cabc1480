package import WireProtocol

/// What a listener serves; one instance a shard, called on that shard.
package protocol HTTPService: AnyObject {
    /// Decides about a request as soon as its head is there, before any of its body.
    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition
}
