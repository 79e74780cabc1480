package import WireProtocol

/// The service of a listener; one instance a shard, called on that shard.
package protocol HTTPService: AnyObject {
    /// Whether the service gets bodies in their coding (`Content-Encoding`). Other services get decoded bodies, and
    /// unknown codings are refused.
    var takesCodedBodies: Bool { get }

    /// Decides about a request as soon as its head has arrived, before its body.
    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition
}

extension HTTPService {
    package var takesCodedBodies: Bool { false }
}
