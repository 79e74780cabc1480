import Inbox
import Transport

@testable import Gateway

extension Publisher {
    /// A caller on a server whose settings name no publishers.
    static func user(_ id: UInt32?) -> Publisher { Publisher(peer: Peer(userID: id, isLocal: true), record: nil) }

    /// A caller on another machine, known by its key.
    static func named(_ name: String, place: UInt32) -> Publisher {
        Publisher(
            peer: Peer(userID: nil, isLocal: false),
            record: PublisherRecord(name, place: place, Settings.Publisher(), at: .noon))
    }
}
