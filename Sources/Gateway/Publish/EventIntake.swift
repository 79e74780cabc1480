import Inbox
import JSON
import Storage
import WireProtocol

/// Turns what publishers send into entries for the store: read, routed and named, or refused.
struct EventIntake {
    let node: Node

    /// - Parameter index: the event's place in an array; nil if it came alone.
    func entry(_ json: JSONValue, index: Int? = nil) throws(Problem) -> (Publication.Entry, warnings: [String]) {
        do {
            let event = try Event(json: json, at: node.now())
            let routed = try node.currentCatalogs.route(event)
            let entry = Publication.Entry(
                routed: routed, id: EventName.make(at: node.now()), fingerprint: Self.fingerprint(json.encoded))
            return (entry, routed.warnings)
        } catch {
            node.metrics.eventsRefused.add()
            throw Problem(error, index: index)
        }
    }

    /// FNV-1a, 64 bits: tells another event under the same key from the same one again; no defence is asked of it.
    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    static func write(_ outcome: PublishOutcome, warnings: [String], to json: inout JSONWriter) {
        json.object { json in
            json.member("event", outcome.event)
            // What is done needs no word for it.
            if let broadcast = outcome.broadcast, broadcast.state != .done {
                json.member("state", broadcast.state.name)
                json.member("total", broadcast.total)
                if case .abandoned(let reason) = broadcast.state { json.member("reason", reason) }
            }
            json.member("recipients", outcome.recipients)
            json.member("created", outcome.created)
            json.member("updated", outcome.updated)
            json.member("suppressed", outcome.suppressed)
            if outcome.isReplay { json.member("replayed", true) }
            if !warnings.isEmpty { json.member("warnings", .array(warnings.map(JSONValue.string))) }
        }
    }
}
