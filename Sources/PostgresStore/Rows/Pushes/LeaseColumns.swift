import Deliveries
import Inbox
import JSON
import Store

/// The columns of a lease that most leases do not need: JSON, as bytes, since texts of events may have any character.
enum LeaseColumns {
    /// Nil for a push of its place's notification alone that leaves nothing on the screen.
    static func parts(of lease: PushLeases.Lease) -> [UInt8]? {
        let isAlone = lease.parts.count == 1 && lease.parts[0] == lease.place.notification
        if isAlone, lease.leaving.isEmpty { return nil }
        return JSONValue.array([
            .array(lease.parts.map(JSONValue.int)), .array(lease.leaving.map(JSONValue.string)),
        ]).encoded
    }

    static func parts(_ bytes: [UInt8], of device: Int64) throws -> (parts: PushParts, leaving: [String]) {
        let columns = (try? JSONValue(parsing: bytes))?.array ?? []
        let numbers = columns.first?.array?.compactMap(\.int) ?? []
        guard columns.count == 2, let first = numbers.first, let leaving = columns[1].array else {
            throw DamagedRow(table: "push_line", key: "\(device)")
        }
        return (PushParts(first, and: Array(numbers.dropFirst())), leaving.compactMap(\.string))
    }

    /// Nil without pushes that are to follow.
    static func renewals(of lease: PushLeases.Lease) -> [UInt8]? {
        lease.hasRenewals ? JSONValue.array(lease.renewals.map(value)).encoded : nil
    }

    static func renewals(_ bytes: [UInt8], of device: Int64) throws -> [NewPushJob] {
        let jobs = (try? JSONValue(parsing: bytes))?.array ?? [.null]
        return try jobs.map { value in
            guard let job = value.object.flatMap(job) else { throw DamagedRow(table: "push_line", key: "\(device)") }
            return job
        }
    }

    private static func value(of job: NewPushJob) -> JSONValue {
        var json: JSONObject = [
            "device": .int(job.device), "notification": .int(job.notification), "due": .int(job.due.milliseconds),
            "expiry": .int(job.expiry.milliseconds), "isFallback": .bool(job.isFallback),
        ]
        json["content"] = job.content.map(JSONValue.int)
        json["foldKey"] = job.foldKey.map(JSONValue.string)
        json["collapse"] = job.collapse.map(JSONValue.string)
        json["seq"] = job.seq.map(JSONValue.int)
        json["deadline"] = job.deadline.map { .int($0.milliseconds) }
        json["heldFrom"] = job.heldFrom.map { .int($0.milliseconds) }
        return .object(json)
    }

    private static func job(_ json: JSONObject) -> NewPushJob? {
        guard let device = json["device"]?.int, let notification = json["notification"]?.int,
            let due = json["due"]?.int, let expiry = json["expiry"]?.int, let isFallback = json["isFallback"]?.bool
        else { return nil }
        return NewPushJob(
            device: device, notification: notification, due: Timestamp(milliseconds: due),
            expiry: Timestamp(milliseconds: expiry), content: json["content"]?.int, isFallback: isFallback,
            foldKey: json["foldKey"]?.string, collapse: json["collapse"]?.string, seq: json["seq"]?.int,
            deadline: json["deadline"]?.int.map(Timestamp.init(milliseconds:)),
            heldFrom: json["heldFrom"]?.int.map(Timestamp.init(milliseconds:)))
    }
}
