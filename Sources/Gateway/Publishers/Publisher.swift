import Inbox
import Transport
import WireProtocol

/// A caller of the ``PublishingService``, and its rights.
struct Publisher: Sendable {
    let peer: Peer
    /// Nil if the settings name no publisher: then everybody who may open the socket may do everything.
    let record: PublisherRecord?
    /// What it is called without a record, if the kernel tells no user.
    var alias: String?

    /// The owner of events' keys.
    var name: String { record?.name ?? alias ?? peer.publisher }

    /// Who publishes what applications have left in the database.
    ///
    /// - Parameter record: the one whose rights hold; nil if the settings name no publisher.
    static func outbox(_ record: PublisherRecord?) -> Publisher {
        Publisher(peer: Peer(userID: nil, isLocal: true), record: record, alias: "outbox")
    }

    /// Whether the publisher reaches what others of the app have published.
    var reachesOthers: Bool { record?.may(.others) ?? true }

    /// Whether the publisher reaches an event.
    ///
    /// - Parameter owner: the event's publisher, as a key of its app.
    func reaches(_ owner: String) -> Bool { reachesOthers || AppName.name(ofKey: owner) == name }

    func check(_ right: PublisherRight?) throws(Problem) {
        guard let record, let right, !record.may(right) else { return }
        record.note(.call)
        throw Problem(
            status: 403, code: "call_not_allowed",
            detail: "the publisher \"\(name)\" has no right \"\(right.rawValue)\"")
    }

    /// The app that a call names, or the publisher's own; nil if neither tells one.
    func app(given app: AppName?) throws(Problem) -> AppName? {
        if let app { try check(app: app.text) }
        return record?.app ?? app
    }

    /// Refuses every name but that of the publisher's app in one way. So a publisher does not learn which apps there are.
    func check(app name: String) throws(Problem) {
        guard let record, let own = record.app, name != own.text else { return }
        record.note(.app)
        throw Problem(
            status: 403, code: "app_not_allowed",
            detail: "the publisher \"\(self.name)\" is one of the app \"\(own.text)\"")
    }

    /// - Parameter index: the event's, in an array; nil for a single event.
    func check(event type: String, index: Int?) throws(Problem) {
        guard let record, !record.mayPublish(type) else { return }
        record.note(.event)
        throw Problem(
            status: 403, code: "event_not_allowed",
            detail: "the publisher \"\(name)\" may not publish events of this type",
            pointer: (index.map { "/\($0)" } ?? "") + "/type")
    }

    /// Counts so many events or items against the quota.
    func take(_ count: Int, at now: Timestamp) throws(Problem) {
        guard let record else { return }
        if let most = record.mostAtOnce, count > most {
            record.note(.rate)
            throw Problem(
                status: 422, code: "invalid_value",
                detail: "expected at most \(most) events at once, ten seconds' worth of the publisher \"\(name)\"")
        }
        if let seconds = record.take(count, at: now) {
            record.note(.rate)
            throw Problem(
                status: 429, code: "too_many_events",
                detail: "the publisher \"\(name)\" may publish \(record.settings.eventsPerSecond) events a second",
                retryAfter: seconds)
        }
    }

    /// Why nothing more is taken in now; nil if there is room.
    var overload: Problem? {
        guard let record, !record.hasRoom else { return nil }
        record.note(.bytes)
        return Problem(
            status: 429, code: "too_many_bytes",
            detail: "the publisher \"\(name)\" may have \(record.settings.bytesUnderWay) bytes under way", retryAfter: 1
        )
    }
}
