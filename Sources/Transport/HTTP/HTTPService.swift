package import WireProtocol

/// What a listener serves; one instance a shard, called on that shard.
package protocol HTTPService: AnyObject {
    /// Whether it gets bodies as they came, however they are coded (`Content-Encoding`). Others get them decoded, and
    /// what comes in a coding that is not known here is refused.
    var takesCodedBodies: Bool { get }

    /// Decides about a request as soon as its head is there, before any of its body.
    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition
}

extension HTTPService {
    package var takesCodedBodies: Bool { false }
}
