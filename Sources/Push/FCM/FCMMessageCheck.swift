import JSON

/// Reads a request's body as FCM does.
struct FCMMessageCheck {
    private let message: JSONValue
    /// Whether the request only asks if FCM would accept the message.
    let isDryRun: Bool

    /// - Throws: FCM's own error for a mistake.
    init(_ body: [UInt8]) throws(FCMRefusal) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: body)
        } catch {
            throw FCMRefusal(400, "INVALID_ARGUMENT", "Invalid JSON payload received.")
        }
        try FCMSchema.request.check(json, at: "")
        guard let message = json.at(["message"]) else {
            throw FCMRefusal(400, "INVALID_ARGUMENT", "Message is missing.", field: "message")
        }
        self.message = message
        isDryRun = json.at(["validate_only"])?.bool ?? false
        try checkTarget()
        try checkData()
        try checkAndroid()
        try checkAPNs()
        try checkWebPush()
        try checkSize()
    }

    private func checkTarget() throws(FCMRefusal) {
        let targets = ["token", "fid", "topic", "condition"].filter { message.at([$0]) != nil }
        guard targets.count == 1 else {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", "Exactly one of token, topic or condition is required.",
                code: "INVALID_ARGUMENT", field: "message")
        }
        guard let token = message.at(["token"])?.string else { return }
        // Google defines the form of tokens, but none is short, and none has characters that need an escape.
        guard token.utf8.count >= 4,
            token.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_:.".contains($0)) })
        else {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token",
                code: "INVALID_ARGUMENT")
        }
    }

    private func checkData() throws(FCMRefusal) {
        for path in [["data"], ["android", "data"]] {
            for key in message.at(path)?.object?.keys ?? [] where FCMMessage.isReserved(key) {
                throw FCMRefusal(
                    400, "INVALID_ARGUMENT", "Invalid data payload key: \(key)", code: "INVALID_ARGUMENT",
                    field: "message." + path.joined(separator: ".") + "[0].key")
            }
        }
    }

    private func checkAndroid() throws(FCMRefusal) {
        guard let priority = message.at(["android", "priority"])?.string else { return }
        guard ["NORMAL", "HIGH"].contains(priority.uppercased()) else {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT",
                "Invalid value at 'message.android.priority' "
                    + "(type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority)",
                field: "message.android.priority")
        }
    }

    /// "When sending payloads containing only data fields to iOS devices, only normal priority (…) is allowed"
    /// (`Message.data`).
    private func checkAPNs() throws(FCMRefusal) {
        let headers = message.at(["apns", "headers"])
        if let token = message.at(["apns", "live_activity_token"]) { try checkActivity(token, headers) }
        let showsItself =
            activity != nil || message.at(["notification"]) != nil
            || message.at(["apns", "payload", "aps", "alert"]) != nil
        if !showsItself, headers?.at(["apns-priority"])?.string == "10" {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", "Only priority 5 is allowed for APNs messages without an alert.",
                code: "INVALID_ARGUMENT", field: "message.apns.headers")
        }
        if let collapse = headers?.at(["apns-collapse-id"])?.string, !(1...64).contains(collapse.utf8.count) {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", "Invalid apns-collapse-id.", code: "INVALID_ARGUMENT",
                field: "message.apns.headers")
        }
    }

    /// A phone drops a payload that it cannot read without a word. The refusal here shows the mistake to the sender.
    private func checkActivity(_ token: JSONValue, _ headers: JSONValue?) throws(FCMRefusal) {
        guard let token = token.string, !token.isEmpty, token.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", "Invalid live activity token.", code: "INVALID_ARGUMENT",
                field: "message.apns.live_activity_token")
        }
        if let priority = headers?.at(["apns-priority"])?.string, !["5", "10"].contains(priority) {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", "Invalid apns-priority.", code: "INVALID_ARGUMENT",
                field: "message.apns.headers")
        }
        do throws(ShownActivity.Mistake) {
            _ = try ShownActivity(aps: message.at(["apns", "payload", "aps"])?.object ?? [:])
        } catch {
            throw FCMRefusal(
                400, "INVALID_ARGUMENT", error.text, code: "INVALID_ARGUMENT", field: "message.apns.payload")
        }
    }

    /// What the message tells a Live Activity; nil for any other message.
    private var activity: ShownActivity? {
        if message.at(["apns", "live_activity_token"]) != nil {
            // A wrong payload was refused before.
            return try? ShownActivity(aps: message.at(["apns", "payload", "aps"])?.object ?? [:])
        }
        // An app's own member of that name need not be JSON.
        guard let text = message.at(["data", ActivityMessage.member])?.string,
            let value = (try? JSONValue(parsing: Array(text.utf8)))?.object
        else { return nil }
        return ShownActivity(message: value)
    }

    /// FCM passes these on to the browser's service, whose rules apply: see ``WebPushTopic``.
    private func checkWebPush() throws(FCMRefusal) {
        guard let topic = message.at(["webpush", "headers", "Topic"])?.string, !WebPushTopic.isTaken(topic) else {
            return
        }
        throw FCMRefusal(
            400, "INVALID_ARGUMENT", "Invalid Topic.", code: "INVALID_ARGUMENT", field: "message.webpush.headers")
    }

    /// Counts keys and values of the parts that go to the phone.
    private func checkSize() throws(FCMRefusal) {
        let parts = [["notification"], ["data"], ["apns", "payload"]]
        let bytes = parts.reduce(0) { $0 + (message.at($1).map { $0.encoded.count } ?? 0) }
        guard bytes <= FCMMessage.maximumBytes else {
            throw FCMRefusal(400, "INVALID_ARGUMENT", "Message is too big.", code: "INVALID_ARGUMENT", field: "message")
        }
    }

    /// The phone's view of the message. Belfry's messages hold the same for every platform, so any block tells it.
    var shown: ShownPush {
        let aps = message.at(["apns", "payload", "aps"])
        var data = message.at(["data"])?.object ?? JSONObject()
        // Belfry's member is JSON in a string; an app's own member of that name need not be.
        if let own = data[PushMessage.ownMember]?.string, let value = try? JSONValue(parsing: own) {
            data[PushMessage.ownMember] = value
        }
        if activity != nil { data[ActivityMessage.member] = nil }
        let tag = message.at(["android", "notification", "tag"]) ?? message.at(["android", "collapse_key"])
        return ShownPush(
            device: message.at(["token"])?.string ?? message.at(["topic"])?.string ?? "",
            title: message.at(["notification", "title"])?.string, body: message.at(["notification", "body"])?.string,
            badge: aps?.at(["badge"])?.int, thread: aps?.at(["thread-id"])?.string,
            collapseID: (tag ?? message.at(["apns", "headers", "apns-collapse-id"]))?.string, data: data,
            withdrawn: PushMessage.withdrawn(in: data[PushMessage.ownMember]), activity: activity)
    }
}
