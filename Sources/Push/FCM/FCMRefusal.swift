import JSON

/// One of FCM's errors, in the form of Google's `google.rpc.Status`.
struct FCMRefusal: Error {
    let status: Int
    /// Google's code: `INVALID_ARGUMENT`, `NOT_FOUND`.
    let name: String
    let message: String
    /// FCM's own code, for errors of FCM: `UNREGISTERED`.
    var code: String?
    /// The wrong field of the message.
    var field: String?

    init(_ status: Int, _ name: String, _ message: String, code: String? = nil, field: String? = nil) {
        self.status = status
        self.name = name
        self.message = message
        self.code = code
        self.field = field
    }

    /// Google's code for a code of FCM.
    static func status(of code: String) -> String {
        switch code {
        case "UNREGISTERED": "NOT_FOUND"
        case "SENDER_ID_MISMATCH": "PERMISSION_DENIED"
        case "QUOTA_EXCEEDED": "RESOURCE_EXHAUSTED"
        case "THIRD_PARTY_AUTH_ERROR": "UNAUTHENTICATED"
        default: code
        }
    }

    var body: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.key("error")
            json.object { json in
                json.member("code", status)
                json.member("message", message)
                json.member("status", name)
                json.key("details")
                json.array { json in
                    if let code {
                        json.value([
                            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": .string(code),
                        ])
                    }
                    if let field {
                        let violation: JSONValue = ["field": .string(field), "description": .string(message)]
                        json.value([
                            "@type": "type.googleapis.com/google.rpc.BadRequest",
                            "fieldViolations": .array([violation]),
                        ])
                    }
                }
            }
        }
        return json.bytes
    }
}
