import Transport

@testable import Gateway

extension Publisher {
    /// A caller on a server whose settings name no publishers.
    static func user(_ id: UInt32?) -> Publisher { Publisher(peer: Peer(userID: id, isLocal: true), record: nil) }
}
