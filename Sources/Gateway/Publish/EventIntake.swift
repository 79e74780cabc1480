import Inbox
import JSON
import Store
import WireProtocol

/// Turns publishers' events into entries for the store: read, routed and named, or refused.
struct EventIntake {
    let node: Node
    /// The events'.
    let app: AppName
    let publisher: Publisher

    /// The app of a request's events: the one that the request names, or else the one that has the first event's type.
    static func app(of json: JSONNode, given app: AppName?, _ node: Node) throws(Problem) -> AppName {
        if let app { return app }
        do {
            return try node.currentCatalogs.app(ofEvent: json.elements?.first ?? json)
        } catch {
            throw Problem(error, index: json.isArray ? 0 : nil)
        }
    }

    /// - Parameters:
    ///   - json: as it was parsed last on this thread.
    ///   - index: the event's index in an array; nil for a single event.
    ///   - key: the request's key; nil without one.
    func entry(
        _ json: JSONNode, at now: Timestamp, index: Int? = nil, key: String? = nil
    ) throws(Problem) -> Publication.Entry {
        if publisher.record != nil { try publisher.check(event: json["type"]?.string ?? "", index: index) }
        do {
            let catalogs = node.currentCatalogs
            var event = try Event(json: json, at: now, in: app)
            if let key { try event.take(key: key) }
            let routed = try catalogs[app].route(event, at: now)
            // Fingerprints of events without a key are never compared.
            let fingerprint = routed.event.key == nil ? 0 : Self.fingerprint(of: json)
            return Publication.Entry(routed: routed, id: node.eventNames.next(at: now), fingerprint: fingerprint)
        } catch {
            throw Problem(error, index: index)
        }
    }

    /// The keys and fingerprints by which refused events may prove to be repeats of accepted ones, whose answer the
    /// publisher never got. They may be refused because a time has passed since, or catalogs have changed. Nil if an
    /// event has no key.
    ///
    /// - Parameters:
    ///   - json: one event or an array, as it was parsed last on this thread.
    ///   - requestKey: the request's key; nil without one.
    static func keyed(_ json: JSONNode, requestKey: String? = nil) -> [KeyedEvent]? {
        var events: [KeyedEvent] = []
        for event in json.elements ?? [json] {
            guard let key = event["key"]?.string ?? requestKey else { return nil }
            events.append(KeyedEvent(key: key, fingerprint: fingerprint(of: event)))
        }
        return events.isEmpty ? nil : events
    }

    /// A hash of the event's shortest text. Distinguishes another event under the same key from a repeat, however that
    /// is spelled; it is no defence against forgery.
    ///
    /// Kept with the key: if it were computed otherwise, an event repeated after an upgrade would be refused.
    static func fingerprint(of json: JSONNode) -> UInt64 { json.shortestTextHash }

    /// - Parameter entry: nil for a repeated event.
    static func write(_ outcome: PublishOutcome, of entry: Publication.Entry?, to json: inout JSONWriter) {
        json.object { json in
            json.member("event", outcome.event)
            // A finished delivery needs no state.
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
    /// Writes the warnings, if there are any.
    func writeWarnings(to json: inout JSONWriter) {
        let warnings = routed.warnings
        if !warnings.isEmpty { json.member("warnings", .array(warnings.map(JSONValue.string))) }
    }
}

extension PublishOutcome {
    /// Writes the items that the event published to feeds, if there are any.
    func writeItems(to json: inout JSONWriter) {
        if items.isEmpty { return }
        json.key("feeds")
        json.array { json in
            for item in items {
                json.object { json in
                    json.member("feed", AppName.name(ofKey: item.feed))
                    json.member("epoch", item.position.epoch)
                    json.member("offset", item.position.offset)
                    if !item.isNew { json.member("replayed", true) }
                }
            }
        }
    }
}
