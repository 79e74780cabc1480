package import JSON

/// An example of an event, for readers of a catalog.
package struct EventSample: Sendable {
    package let actor: JSONObject?
    package let data: JSONObject
    /// Data for a single recipient, by recipient list.
    package let own: [String: JSONObject]

    /// The example as an event to this recipient list; the recipient's own data is merged in.
    package func event(_ type: String, to list: String) -> Event {
        var event = Event(type: type, actor: actor, data: data)
        event.data = event.data(merging: own[list])
        return event
    }
}
