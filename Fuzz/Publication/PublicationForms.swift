import JSON

/// The forms in which one event is sent.
enum PublicationForms: CaseIterable {
    case own, array, line, structured, batch, binary

    /// The source and the id of each CloudEvent, and so the key of each event.
    static let (source, id) = ("/s", "1")

    /// Whether a dry run can have this form.
    var hasDryRun: Bool { self != .line }

    /// An outcome as this form would tell it: attributes in headers have no place.
    func told(_ outcome: [String]) -> [String] {
        guard self == .binary, let place = outcome.last, ["/type", "/key", "/occurredAt"].contains(place) else {
            return outcome
        }
        return outcome.dropLast() + [""]
    }

    /// Whether the form can hold the event: attributes of CloudEvents are texts, and of headers in ASCII.
    func carries(_ event: JSONObject) -> Bool {
        switch self {
        case .own, .array, .line: return true
        case .structured, .batch, .binary: break
        }
        let attributes = [event["type"]] + (event["occurredAt"].map { [$0] } ?? [])
        return attributes.allSatisfy { attribute in
            guard let text = attribute?.string, !text.isEmpty else { return false }
            return self != .binary || text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x25 }
        }
    }

    func request(_ event: JSONObject, dryRun: Bool) -> [UInt8] {
        let (own, cloud) = (JSONValue.object(event), JSONValue.object(Self.cloudEvent(event)))
        switch self {
        case .own: return Self.request(own, "application/json", dryRun)
        case .array: return Self.request([own], "application/json", dryRun)
        case .line: return Self.request(own, "application/x-ndjson", dryRun)
        case .structured: return Self.request(cloud, "application/cloudevents+json", dryRun)
        case .batch: return Self.request([cloud], "application/cloudevents-batch+json", dryRun)
        case .binary:
            var headers = "ce-specversion: 1.0\r\nce-source: \(Self.source)\r\nce-id: \(Self.id)\r\n"
            headers += "ce-type: \(event["type"]?.string ?? "")\r\n"
            if let time = event["occurredAt"]?.string { headers += "ce-time: \(time)\r\n" }
            return Self.request(cloud.object?["data"] ?? .null, "application/json", dryRun, headers)
        }
    }

    private static func request(
        _ body: JSONValue, _ type: String, _ dryRun: Bool, _ headers: String = ""
    ) -> [UInt8] {
        let (body, query) = (body.encoded, dryRun ? "?dryRun=true" : "")
        let head = "POST /v1/events\(query) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n\(headers)"
        return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    private static func cloudEvent(_ event: JSONObject) -> JSONObject {
        var (data, cloud) = (event, ["specversion": "1.0", "source": .string(source), "id": .string(id)] as JSONObject)
        cloud["type"] = event["type"]
        cloud["time"] = event["occurredAt"]
        for name in ["type", "key", "occurredAt"] { data[name] = nil }
        cloud["data"] = .object(data)
        return cloud
    }

    /// The place in the event's own form of a place in this one.
    func place(of pointer: String?) -> String {
        guard var pointer else { return "" }
        func drop(_ beginning: String) {
            // Octet by octet: a name may begin with a mark that joins the slash before it.
            guard pointer.utf8.starts(with: beginning.utf8) else { return }
            pointer = String(decoding: pointer.utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
        }
        if self == .array || self == .batch { drop("/0") }
        switch (self, pointer) {
        case (.structured, "/time"), (.batch, "/time"): return "/occurredAt"
        case (.structured, "/id"), (.batch, "/id"): return "/key"
        case (.structured, _), (.batch, _): drop("/data")
        default: break
        }
        return pointer
    }
}
