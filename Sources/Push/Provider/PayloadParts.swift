import Inbox
import JSON

/// What of a message can be made shorter or left out when a payload would pass the provider's limit.
///
/// The texts are cut last: a push with a short text is worth more than none, and one with a text more than one with all
/// of the app's data.
struct PayloadParts {
    var title: String
    var body: String
    var data: [JSONObject.Member]
    var withdrawn: [String]
    var image: String?
    var group: String?
    var actions: String?
    var sound: String?
    /// Whether the app may change it before it is shown, so that it can show the group's line.
    let mayChange: Bool

    /// More than any payload has room for.
    private static let maximumWithdrawn = 1_024
    /// Room for the texts, if they are that long, comes before everything else.
    private static let minimumTextBytes = 256

    /// - Parameter isReserved: whether a member of the app's data would be mistaken for one of the provider's own.
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
        // Picture, thread and buttons are those of one notification.
        let isOne = !message.showsDigest
        image = isOne ? shared?.content.image : nil
        group = isOne ? shared?.content.group : nil
        actions = isOne ? shared?.content.actions : nil
        sound = message.sound
    }

    private static let groupText = "groupText"
    private static let groupCount = "groupCount"
    /// FCM has no place of its own for it.
    private static let groupKey = "groupKey"

    private static func isOurs(_ key: String, _ message: PushMessage) -> Bool {
        message.group != nil && [groupText, groupCount, groupKey].contains(key)
    }

    /// The payload of as much of this as `maximumBytes` hold. `write` must use each text once.
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
        // A title that is no title leaves half of it to the body.
        let title = ShortenedText(title, maximumBytes: max(room - bodyBytes, room / 2))
        parts.title = title.text
        parts.body = ShortenedText(body, maximumBytes: room - title.bytes).text
        return write(parts)
    }

    /// Leaves out what can best be missed until about `bytes` are free, by their plain encoding; false if nothing was
    /// left to leave out.
    mutating func free(_ bytes: Int) -> Bool {
        var excess = bytes
        var hasFreed = false
        while excess > 0, let freed = removeLeastWorthy() {
            excess -= freed
            hasFreed = true
        }
        return hasFreed
    }

    /// Leaves out what can best be missed; returns about how many bytes that frees, or nil if nothing is left.
    private mutating func removeLeastWorthy() -> Int? {
        if let member = data.popLast() { return member.key.utf8.count + member.value.encoded.count + 4 }
        // The newest come last, and are the likeliest to be on the screen still.
        if !withdrawn.isEmpty { return withdrawn.removeFirst().utf8.count + 3 }
        for part in [\PayloadParts.image, \.group, \.actions, \.sound] {
            guard let text = self[keyPath: part] else { continue }
            self[keyPath: part] = nil
            return text.utf8.count
        }
        return nil
    }
}
