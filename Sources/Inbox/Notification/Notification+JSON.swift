package import JSON

extension Notification {
    /// Writes the row as frames and lists show it: the members of the app's samples first, then `isSeen`, `rev` and
    /// `seq`, and `place` for one that has come up again.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", maximumBytes: NotificationID.maximumBytes) { id.write(to: $0) }
            json.member("type", content.type)
            json.member("displayText", content.displayText)
            json.member("isRead", isRead)
            json.member("createdAt", maximumBytes: Timestamp.iso8601Bytes) { createdAt.writeISO8601(to: $0) }
            json.raw(content.body)
            json.member("isSeen", isSeen)
            json.member("rev", rev)
            json.member("seq", seq)
            if place != id.sequence { json.member("place", place) }
        }
    }
}
