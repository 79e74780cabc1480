import Inbox
import JSON

extension PushMessage {
    /// Belfry's own member in every payload: the notification, and the inbox's position at the push. Apps must not use
    /// this name.
    static let ownMember = "belfry"

    /// The value of ``ownMember``: `{"id":"n1-5","rev":1,"epoch":"…","seq":5}`, with `actions` if the notification asks,
    /// and `withdrawn` if notifications are withdrawn.
    func ownValue(_ parts: PayloadParts) -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            if let notification {
                json.member("id", notification.text)
                json.member("rev", rev)
            }
            json.member("epoch", position.epoch)
            json.member("seq", position.seq)
            if !parts.answers.isEmpty { json.member("actions", .array(parts.answers.map(\.json))) }
            guard !parts.withdrawn.isEmpty else { return }
            json.key("withdrawn")
            json.array { json in
                for id in parts.withdrawn { json.value(id) }
            }
        }
        return json.bytes
    }

    /// The ids that a payload withdraws, read from ``ownValue(_:)``.
    static func withdrawn(in ownValue: JSONValue?) -> [String] {
        ownValue?.at(["withdrawn"])?.array?.compactMap(\.string) ?? []
    }
}
