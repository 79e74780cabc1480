import Foundation
import Inbox
import JSON
import WireProtocol

/// A CloudEvent 1.0.2 (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md) that a backend publishes.
///
/// Its `type` is the event's type, its `source` and `id` are the key, and its `time` is the time when the event happened.
/// Its data are the other members of Belfry's own form: attributes hold only short texts, and cannot name recipients.
/// `subject`, `dataschema` and extensions are accepted and not used, but for `traceparent` and `tracestate`.
struct CloudEvent {
    /// Members of Belfry's own form that a CloudEvent has as attributes.
    private static let membersOfAttributes = ["type", "key", "occurredAt"]

    private let type: String
    private let source: String
    private let id: String
    private let time: String?
    private let data: JSONObject
    /// The distributed tracing extension as headers; nil without it.
    let trace: HTTPHeaders?

    /// Whether a media type in lower case, without parameters, is one of JSON (JSON Event Format §3.1.1).
    static func isJSON(_ mediaType: String) -> Bool { mediaType.hasSuffix("/json") || mediaType.hasSuffix("+json") }

    /// Reads an event whose data are among its attributes (JSON Event Format for CloudEvents 1.0.2 §3,
    /// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md).
    init(_ attributes: CloudEventAttributes) throws(Problem) {
        if let type = try attributes.text("datacontenttype") {
            let mediaType = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard Self.isJSON(mediaType) else {
                throw attributes.refusal("datacontenttype", "invalid_value", "expected a media type of JSON")
            }
        }
        let data: JSONValue
        switch (attributes.value("data"), try attributes.text("data_base64")) {
        case (let value?, nil): data = value
        case (nil, let encoded?):
            guard let bytes = Data(base64Encoded: encoded), let value = try? JSONBody.unambiguous(Array(bytes)) else {
                throw attributes.refusal("data_base64", "invalid_value", "expected Base64 of JSON")
            }
            data = value
        case (nil, nil): throw attributes.refusal("data", "missing_field", "expected an object with to")
        case (.some, .some):
            throw attributes.refusal("data_base64", "invalid_value", "expected data or data_base64, and not both")
        }
        try self.init(attributes, data: data)
    }

    /// Reads an event whose data come beside its attributes.
    init(_ attributes: CloudEventAttributes, data: JSONValue) throws(Problem) {
        guard try attributes.required("specversion") == "1.0" else {
            throw attributes.refusal("specversion", "invalid_value", "expected 1.0")
        }
        type = try attributes.required("type")
        source = try attributes.required("source")
        // Without spaces, source and id are told apart in the key.
        guard !source.utf8.contains(UInt8(ascii: " ")) else {
            throw attributes.refusal("source", "invalid_value", "expected a URI reference, which has no spaces")
        }
        id = try attributes.required("id")
        time = try attributes.text("time")
        guard let object = data.object else {
            throw attributes.refusalOfData("wrong_type", "expected an object with to, found \(data.kind)")
        }
        for name in Self.membersOfAttributes where object[name] != nil {
            throw attributes.refusalOfData(
                "unknown_field", "unknown member; a CloudEvent has its type, id and time beside its data", member: name)
        }
        self.data = object
        trace = attributes.trace
    }

    /// The idempotency key: producers have to make source and id together unique (§3.1.1). A long one is hashed.
    var key: String {
        let text = "\(source) \(id)"
        return text.utf8.count <= Event.maximumKeyBytes ? text : "sha256:\(PublisherKey.hash(of: text))"
    }

    /// Writes the event in Belfry's own form, always in the same order: the order counts when a key comes again.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("type", type)
            json.member("key", key)
            if let time { json.member("occurredAt", time) }
            json.members(of: data)
        }
    }
}
