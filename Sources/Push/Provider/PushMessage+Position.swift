import Inbox
import JSON

extension PushMessage {
    /// Belfry's own member in every payload: the notification, and the inbox's position at the push. Apps must not use
    /// this name.
    static let ownMember = "belfry"

    /// The value of ``ownMember``: `{"id":"n1-5","rev":1,"epoch":"…","seq":5}`, with `withdrawn` if notifications are
    /// withdrawn.
    ///
    /// - Parameter withdrawn: the message's ids that fit into the payload.
    func ownValue(withdrawn: [String]) -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            if let notification {
                json.member("id", notification.text)
                json.member("rev", rev)
            }
            json.member("epoch", position.epoch)
            json.member("seq", position.seq)
            guard !withdrawn.isEmpty else { return }
            json.key("withdrawn")
            json.array { json in
                for id in withdrawn { json.value(id) }
            }
        }
        return json.bytes
    }

    /// The ids that a payload withdraws, read from ``ownValue(withdrawn:)``.
    static func withdrawn(in ownValue: JSONValue?) -> [String] {
        ownValue?.at(["withdrawn"])?.array?.compactMap(\.string) ?? []
    }
}
