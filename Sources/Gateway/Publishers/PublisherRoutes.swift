import Inbox
import JSON
import Transport
import WireProtocol

/// `GET /v1/publishers`: who may do what, and what they have done since the start.
struct PublisherRoutes {
    let node: Node

    /// - Parameter app: the only app whose publishers the caller may see; nil for all.
    func list(of app: AppName?, _ reply: HTTPReply) {
        let records = node.publishers.records.filter { app == nil || $0.app == app }
        reply.send(
            .object { json in
                json.member("everybodyMayAll", records.isEmpty)
                json.key("publishers")
                json.array { json in for record in records { Self.write(record, to: &json) } }
            })
    }

    private static func write(_ record: PublisherRecord, to json: inout JSONWriter) {
        let settings = record.settings
        json.object { json in
            json.member("name", record.name)
            if let uid = settings.uid { json.member("uid", uid) }
            if let gid = settings.gid { json.member("gid", gid) }
            // Not even the hash.
            json.member("hasKey", settings.keyHash != nil)
            if let app = record.app { json.member("app", app.text) }
            json.member("events", .array(settings.events.map(JSONValue.string)))
            json.member("calls", .array(settings.calls.map { .string($0.rawValue) }))
            json.member("eventsPerSecond", settings.eventsPerSecond)
            json.member("bytesUnderWay", settings.bytesUnderWay)
            json.member("published", record.events.count)
            let refused = record.refusals.map {
                JSONObject.Member(key: $0.cause.rawValue, value: .int(Int64($0.count.count)))
            }
            json.member("refused", .object(JSONObject(refused)))
        }
    }
}
