import Inbox

/// The positions of the contents that were written last, so that the recipients of an event share one.
///
/// Valid only for the changes of one commit, and while that is held: a later object may have the identity of one that
/// is gone.
struct WrittenContents {
    private struct Place {
        var content: ObjectIdentifier?
        var position = ByteRing.Position.none
    }

    /// One event's recipients mostly have no more wordings than this.
    private var places = InlineArray<8, Place>(repeating: Place())
    private var next = 0

    /// ``ByteRing/Position/none`` for an unknown content.
    func position(of content: Content) -> ByteRing.Position {
        let identity = ObjectIdentifier(content)
        for index in places.indices where places[index].content == identity { return places[index].position }
        return .none
    }

    /// - Parameter position: the new one; an earlier one was overwritten.
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
