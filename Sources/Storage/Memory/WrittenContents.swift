import Inbox

/// Where the contents are that were written last, so that the recipients of an event share one.
///
/// Only for the changes of one commit, and while that is held: an object that has gone may have its identity from
/// another.
struct WrittenContents {
    private struct Place {
        var content: ObjectIdentifier?
        var position = ByteRing.Position.none
    }

    /// As many wordings as recipients of one event mostly have.
    private var places = InlineArray<8, Place>(repeating: Place())
    private var next = 0

    /// ``ByteRing/Position/none`` for a content that is not known.
    func position(of content: Content) -> ByteRing.Position {
        let identity = ObjectIdentifier(content)
        for index in places.indices where places[index].content == identity { return places[index].position }
        return .none
    }

    /// - Parameter position: where it is now; what was known of it has given way.
    mutating func add(_ content: Content, at position: ByteRing.Position) {
        let place = Place(content: ObjectIdentifier(content), position: position)
        for index in places.indices where places[index].content == place.content {
            places[index] = place
            return
        }
        places[next] = place
        next = (next + 1) % places.count
    }
}
