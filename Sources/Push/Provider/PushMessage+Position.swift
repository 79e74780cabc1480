import Inbox
import JSON

extension PushMessage {
    /// Our own member in every payload: which notification it is, and which position of the inbox the push stands for.
    /// Apps must leave the name free.
    static let ownMember = "belfry"

    /// The value of ``ownMember``: `{"id":"n1-5","rev":1,"epoch":"…","seq":5}`, and `withdrawn` if anything goes from
    /// the screen.
    ///
    /// - Parameter withdrawn: as many of the message's as the payload has room for.
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

    /// Reads the ids that a payload withdraws, from ``ownValue(withdrawn:)``.
    static func withdrawn(in ownValue: JSONValue?) -> [String] {
        ownValue?.at(["withdrawn"])?.array?.compactMap(\.string) ?? []
    }
}
