package import JSON

extension Notification {
    /// Writes the row for frames and lists. The members of the app's samples come first, then `isSeen`, `rev` and
    /// `seq`, and `place` for a notification that has come up again.
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
