import JSON

/// A push service's refusal in Mozilla's form (autopush, "Error Codes"). Apple's word or Microsoft's headers are used
/// for rules of these services.
struct WebPushServiceError: Error {
    private let status: Int
    private let number: Int?
    private let message: String
    /// Apple's word.
    private let reason: String?
    /// The reason for a dropped push, in the form of Microsoft's service.
    private let windowsDescription: String?

    init(
        _ status: Int, errno number: Int? = nil, _ message: String, reason: String? = nil,
        windowsDescription: String? = nil
    ) {
        self.status = status
        self.number = number
        self.message = message
        self.reason = reason
        self.windowsDescription = windowsDescription
    }

    var reply: PushReply {
        if let windowsDescription {
            let headers = [("x-wns-error-description", windowsDescription), ("x-wns-status", "dropped")]
            return PushReply(status: status, headers: headers.map { (name: $0, value: $1) })
        }
        var json = JSONWriter()
        json.object { json in
            json.member("code", status)
            if let number { json.member("errno", number) }
            json.member("message", message)
            if let reason { json.member("reason", reason) }
        }
        return PushReply(
            status: status, headers: [(name: "content-type", value: "application/json")], body: json.bytes)
    }
}
