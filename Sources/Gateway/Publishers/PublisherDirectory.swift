import Inbox
import Transport
import WireProtocol

/// The publishers that the settings name. From any thread.
struct PublisherDirectory: Sendable {
    /// Sorted by name.
    let records: [PublisherRecord]
    private let byUser: [UInt32: PublisherRecord]
    private let byGroup: [UInt32: PublisherRecord]
    /// By the hash of the key. Hashes are compared, so the time tells nothing of a key.
    private let byKey: [String: PublisherRecord]
    /// Calls that were refused since nobody is known to have made them.
    let unknownCallers = Counter()

    init(_ settings: Settings, at now: Timestamp) {
        let records = settings.publishers.sorted { $0.key < $1.key }.enumerated().map { place, publisher in
            PublisherRecord(publisher.key, place: UInt32(place), publisher.value, at: now)
        }
        func index<Key>(_ key: (Settings.Publisher) -> Key?) -> [Key: PublisherRecord] {
            Dictionary(records.compactMap { record in key(record.settings).map { ($0, record) } }) { first, _ in first }
        }
        self.records = records
        byUser = index { $0.uid.flatMap { UInt32(exactly: $0) } }
        byGroup = index { $0.gid.flatMap { UInt32(exactly: $0) } }
        byKey = index(\.keyHash?.text)
    }

    /// Finds the caller by the key that the call brings, or else by the user or group that the kernel tells. The kernel
    /// knows nobody on other machines.
    func publisher(of head: HTTPRequestHead, from peer: Peer) throws(Problem) -> Publisher {
        if records.isEmpty { return Publisher(peer: peer, record: nil) }
        do throws(Problem) { return Publisher(peer: peer, record: try record(of: head, from: peer)) } catch {
            unknownCallers.add()
            throw error
        }
    }

    private func record(of head: HTTPRequestHead, from peer: Peer) throws(Problem) -> PublisherRecord {
        if let authorization = head.headers["Authorization"] {
            guard let key = Self.key(in: authorization), let record = byKey[PublisherKey.hash(of: key)] else {
                throw Problem(status: 401, code: "unknown_key", detail: "no publisher has this key")
            }
            return record
        }
        guard peer.isLocal else {
            throw Problem(
                status: 401, code: "key_required", detail: "expected a publisher's key as Authorization: Bearer KEY")
        }
        if let record = peer.userID.flatMap({ byUser[$0] }) ?? peer.groupID.flatMap({ byGroup[$0] }) {
            return record
        }
        throw Problem(
            status: 403, code: "unknown_publisher",
            detail: "the settings name no publisher with \(peer.publisher) or its group, and the call has no key")
    }

    private static func key(in authorization: String) -> Substring? {
        let parts = authorization.split(separator: " ")
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
    }
}
