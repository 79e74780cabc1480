import Inbox
import JSON
import WireProtocol

/// The attributes of a CloudEvent where they stand in a request; a mistake names its place.
struct CloudEventAttributes {
    private enum Place {
        /// An object of the body, at a pointer.
        case object(JSONObject, JSONPointer)
        /// Headers with a prefix; the body is the data.
        case headers(HTTPHeaders)
    }

    private let place: Place

    /// - Parameter index: the event's index in a batch; nil for a single event.
    init(of json: JSONValue, index: Int? = nil) throws(Problem) {
        let pointer = index.map { JSONPointer().appending(String($0)) } ?? JSONPointer()
        guard let object = json.object else {
            throw Problem(
                status: 422, code: "wrong_type", detail: "expected a CloudEvent, which is an object",
                pointer: index == nil ? nil : pointer.text)
        }
        place = .object(object, pointer)
    }

    init(of headers: HTTPHeaders) throws(Problem) {
        place = .headers(headers)
        guard headers["ce-datacontenttype"] == nil else {
            throw refusal("datacontenttype", "invalid_value", "expected none: Content-Type takes its place")
        }
    }

    /// A member of the event's object as it is; nil for null and in headers.
    func value(_ name: String) -> JSONValue? {
        guard case .object(let object, _) = place, let value = object[name], value != .null else { return nil }
        return value
    }

    /// An attribute; nil without it. An attribute that is null counts as none (JSON Event Format §2.2).
    func text(_ name: String) throws(Problem) -> String? {
        let found: String
        switch place {
        case .object:
            guard let value = value(name) else { return nil }
            guard let text = value.string else {
                throw refusal(name, "wrong_type", "expected a string, found \(value.kind)")
            }
            found = text
        case .headers(let headers):
            let values = headers.values("ce-\(name)")
            guard let value = values.first else { return nil }
            guard values.count == 1 else { throw refusal(name, "invalid_value", "expected one field of this name") }
            guard let text = CloudEventField.decode(value) else {
                throw refusal(name, "invalid_value", "expected ASCII, with all else percent-encoded as UTF-8")
            }
            found = text
        }
        guard !found.isEmpty else { throw refusal(name, "invalid_value", "expected a string that is not empty") }
        return found
    }

    func required(_ name: String) throws(Problem) -> String {
        guard let text = try text(name) else { throw refusal(name, "missing_field", "expected a string") }
        return text
    }

    /// The distributed tracing extension as headers; nil without it. A wrong one counts as none, as a wrong header does.
    var trace: HTTPHeaders? {
        guard let parent = try? text("traceparent") else { return nil }
        var headers: HTTPHeaders = ["traceparent": parent]
        if let state = try? text("tracestate") { headers.add("tracestate", state) }
        return headers
    }

    /// - Parameters:
    ///   - name: the attribute's.
    ///   - detail: the expectation.
    func refusal(_ name: String, _ code: String, _ detail: String) -> Problem {
        switch place {
        case .object(_, let pointer):
            Problem(status: 422, code: code, detail: detail, pointer: pointer.appending(name).text)
        case .headers: Problem(status: 422, code: code, detail: "ce-\(name): \(detail)")
        }
    }

    /// - Parameter member: of the data; nil for the data themselves.
    func refusalOfData(_ code: String, _ detail: String, member: String? = nil) -> Problem {
        var place = JSONPointer()
        if case .object(_, let pointer) = self.place {
            place = pointer.appending(value("data") == nil ? "data_base64" : "data")
        }
        if let member { place = place.appending(member) }
        return Problem(status: 422, code: code, detail: detail, pointer: place.text.isEmpty ? nil : place.text)
    }
}
