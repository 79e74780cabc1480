package import JSON

/// An example of an event, for those who read about a catalog.
package struct EventSample: Sendable {
    package let actor: JSONObject?
    package let data: JSONObject
    /// By recipient list, what a recipient alone is told.
    package let own: [String: JSONObject]

    /// The example as an event to this recipient list, whose recipient has their own data in it.
    package func event(_ type: String, to list: String) -> Event {
        var event = Event(type: type, actor: actor, data: data)
        event.data = event.data(merging: own[list])
        return event
    }
}
