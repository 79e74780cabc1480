package import Inbox
package import JSON

/// Some recipients of an event, by recipient list.
package struct BroadcastPage {
    package let id: Int64
    /// JSON, as ``Event/recipients(stored:)`` reads it.
    package let recipients: [UInt8]
    /// Whether no other page follows.
    package var isLast = false

    package init(id: Int64, recipients: [UInt8], isLast: Bool = false) {
        (self.id, self.recipients, self.isLast) = (id, recipients, isLast)
    }
}

extension BroadcastPage {
    /// The same lists without one person.
    /// - Parameter lists: as a page has them.
    package static func recipients(_ lists: JSONObject, without user: UserID) -> JSONObject {
        JSONObject(
            lists.members.map { list in
                let others = (list.value.array ?? []).filter { element in
                    (element.string ?? element.at(["user"])?.string).map { ExactText($0) } != ExactText(user.key)
                }
                return JSONObject.Member(key: list.key, value: .array(others))
            })
    }
}
