import JSON

/// A push service's refusal in the form of Mozilla's (autopush, "Error Codes").
struct WebPushServiceError: Error {
    private let status: Int
    private let number: Int?
    private let message: String

    init(_ status: Int, errno number: Int? = nil, _ message: String) {
        self.status = status
        self.number = number
        self.message = message
    }

    var reply: PushReply {
        var json = JSONWriter()
        json.object { json in
            json.member("code", status)
            if let number { json.member("errno", number) }
            json.member("message", message)
        }
        return PushReply(
            status: status, headers: [(name: "content-type", value: "application/json")], body: json.bytes)
    }
}
