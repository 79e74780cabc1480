import Inbox
import JSON

/// The parts of a message that can be shortened or left out if a payload would exceed the provider's limit.
///
/// The texts are cut last. A push with a short text is better than none, and a text is worth more than all of the app's
/// data.
struct PayloadParts {
    var title: String
    var body: String
    var data: [JSONObject.Member]
    var withdrawn: [String]
    var image: String?
    var group: String?
    var actions: String?
    var sound: String?
    /// The actions of the question that the notification asks.
    var answers: [Question.Action]
    /// Whether the app may change the push before it is shown, so that it can show the group's line.
    let mayChange: Bool

    /// More than fits in any payload.
    private static let maximumWithdrawn = 1_024
    /// Texts get at least this room, or their length if that is less, before all other parts.
    private static let minimumTextBytes = 256

    /// - Parameter isReserved: whether a member of the app's data would be taken for one of the provider's own.
    init(_ message: PushMessage, isReserved: (String) -> Bool) {
        (title, body) = message.texts
        let shared = message.shared
        data = (shared?.content.data.members ?? []).filter { member in
            member.key != PushMessage.ownMember && !isReserved(member.key) && !Self.isOurs(member.key, message)
        }
        if let group = message.group {
            data.append(JSONObject.Member(key: Self.groupText, value: .string(group.text)))
            data.append(JSONObject.Member(key: Self.groupCount, value: .int(Int64(group.count))))
            if let key = shared?.content.group {
                data.append(JSONObject.Member(key: Self.groupKey, value: .string(key)))
            }
        }
        mayChange = shared?.content.isMutable == true || message.group != nil
        withdrawn = message.withdrawn.suffix(Self.maximumWithdrawn)
        // Picture, thread and buttons belong to one notification.
        let isOne = !message.showsDigest
        image = isOne ? shared?.content.image : nil
        group = isOne ? shared?.content.group : nil
        actions = isOne ? shared?.content.actions : nil
        // A push for several would leave open which of them a button answers.
        answers = message.count <= 1 ? shared?.content.answers ?? [] : []
        sound = message.sound
    }

    private static let groupText = "groupText"
    private static let groupCount = "groupCount"
    /// A member of its own, because FCM has no place for it.
    private static let groupKey = "groupKey"

    private static func isOurs(_ key: String, _ message: PushMessage) -> Bool {
        message.group != nil && [groupText, groupCount, groupKey].contains(key)
    }

    /// The payload with as much of this as fits in `maximumBytes`. `write` must use each text once.
    func payload(maximumBytes: Int, write: (PayloadParts) -> [UInt8]) -> [UInt8] {
        let whole = write(self)
        guard whole.count > maximumBytes else { return whole }
        let bodyBytes = ShortenedText(body, maximumBytes: .max).bytes
        let wanted = min(ShortenedText(title, maximumBytes: .max).bytes + bodyBytes, Self.minimumTextBytes)
        var parts = self
        (parts.title, parts.body) = ("", "")
        var room = maximumBytes - write(parts).count
        while room < wanted {
            guard parts.free(wanted - room) else { break }
            room = maximumBytes - write(parts).count
        }
        // An overlong title leaves half of the room to the body.
        let title = ShortenedText(title, maximumBytes: max(room - bodyBytes, room / 2))
        parts.title = title.text
        parts.body = ShortenedText(body, maximumBytes: room - title.bytes).text
        return write(parts)
    }

    /// Removes the least important parts until about `bytes` are free, by their plain encoding; false if there was
    /// nothing to remove.
    mutating func free(_ bytes: Int) -> Bool {
        var excess = bytes
        var hasFreed = false
        while excess > 0, let freed = removeLeastWorthy() {
            excess -= freed
            hasFreed = true
        }
        return hasFreed
    }

    /// Removes the least important part; returns about how many bytes that frees, or nil if there is none.
    private mutating func removeLeastWorthy() -> Int? {
        if let member = data.popLast() { return member.key.utf8.count + member.value.encoded.count + 4 }
        // The newest ids come last, and are the most likely to be on the screen still.
        if !withdrawn.isEmpty { return withdrawn.removeFirst().utf8.count + 3 }
        for part in [\PayloadParts.image, \.group, \.actions, \.sound] {
            guard let text = self[keyPath: part] else { continue }
            self[keyPath: part] = nil
            return text.utf8.count
        }
        // All or none: some of the buttons would be another question.
        guard !answers.isEmpty else { return nil }
        defer { answers = [] }
        return answers.reduce(0) { $0 + $1.id.utf8.count + $1.words.utf8.count }
    }
}
