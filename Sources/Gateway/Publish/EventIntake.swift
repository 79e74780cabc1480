import Inbox
import JSON
import Storage
import WireProtocol

/// Turns what publishers send into entries for the store: read, routed and named, or refused.
struct EventIntake {
    let node: Node

    /// - Parameters:
    ///   - json: as it was parsed last on this thread.
    ///   - index: the event's place in an array; nil if it came alone.
    ///   - key: of its request; nil if that has none.
    func entry(
        _ json: JSONNode, at now: Timestamp, index: Int? = nil, key: String? = nil
    ) throws(Problem) -> Publication.Entry {
        do {
            var event = try Event(json: json, at: now)
            if let key { try event.take(key: key) }
            let routed = try node.currentCatalogs.route(event)
            // Nobody asks for one without a key.
            let fingerprint = routed.event.key == nil ? 0 : Self.fingerprint(of: json)
            return Publication.Entry(routed: routed, id: node.eventNames.next(at: now), fingerprint: fingerprint)
        } catch {
            throw Problem(error, index: index)
        }
    }

    /// What tells whether events that are refused were taken in before: by now a time has passed, or the catalogs are
    /// others, and their publisher has never had the answer. Nil if one of them has no key.
    ///
    /// - Parameters:
    ///   - json: one event or an array, as it was parsed last on this thread.
    ///   - requestKey: of its request; nil if that has none.
    static func keyed(_ json: JSONNode, requestKey: String? = nil) -> [KeyedEvent]? {
        var events: [KeyedEvent] = []
        for event in json.elements ?? [json] {
            guard let key = event["key"]?.string ?? requestKey else { return nil }
            events.append(KeyedEvent(key: key, fingerprint: fingerprint(of: event)))
        }
        return events.isEmpty ? nil : events
    }

    /// Of the event's shortest text: tells another event under the same key from the same one again, however it is
    /// spelled; no defence is asked of it.
    ///
    /// Kept with the key: were it reckoned otherwise, an event repeated after an upgrade would be refused.
    static func fingerprint(of json: JSONNode) -> UInt64 { json.shortestTextHash }

    /// - Parameter entry: nil for an event that was not taken in anew.
    static func write(_ outcome: PublishOutcome, of entry: Publication.Entry?, to json: inout JSONWriter) {
        json.object { json in
            json.member("event", outcome.event)
            // What is done needs no word for it.
            if let broadcast = outcome.broadcast, broadcast.state != .done {
                json.member("state", broadcast.state.name)
                json.member("total", broadcast.total)
                if case .abandoned(let reason) = broadcast.state { json.member("reason", reason) }
            }
            json.members(
                ("recipients", Int64(outcome.recipients)), ("created", Int64(outcome.created)),
                ("updated", Int64(outcome.updated)), ("suppressed", Int64(outcome.suppressed)))
            if outcome.isReplay { json.member("replayed", true) }
            outcome.writeItems(to: &json)
            entry?.writeWarnings(to: &json)
        }
    }
}

extension Publication.Entry {
    /// The member that tells them, if there are any.
    func writeWarnings(to json: inout JSONWriter) {
        let warnings = routed.warnings
        if !warnings.isEmpty { json.member("warnings", .array(warnings.map(JSONValue.string))) }
    }
}

extension PublishOutcome {
    /// The member that tells what it has published to feeds, if that is anything.
    func writeItems(to json: inout JSONWriter) {
        if items.isEmpty { return }
        json.key("feeds")
        json.array { json in
            for item in items {
                json.object { json in
                    json.member("feed", item.feed)
                    json.member("epoch", item.position.epoch)
                    json.member("offset", item.position.offset)
                    if !item.isNew { json.member("replayed", true) }
                }
            }
        }
    }
}
