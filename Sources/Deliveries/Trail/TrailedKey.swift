package import Inbox
package import JSON

/// A row of a keyed event, as taking it back needs it.
package struct TrailedKey {
    package let place: TrailPlace
    package let type: String
    package let time: Timestamp
    package let verdicts: TrailVerdicts
    package let data: JSONObject?
    /// From how many of its recipients it has been taken back.
    package let retracted: Int

    /// The items that it published to feeds.
    package var items: [(feed: String, offset: Int64)] { Self.items(data) }

    /// - Parameter data: the column's value.
    package static func items(_ data: JSONObject?) -> [(feed: String, offset: Int64)] {
        (data?["feeds"]?.array ?? []).compactMap { item in
            guard let pair = item.array, pair.count == 2, let feed = pair[0].string, let offset = pair[1].int else {
                return nil
            }
            return (feed, offset)
        }
    }

    /// The question of an event.
    /// - Parameter data: the column's value.
    package static func question(_ data: JSONObject?) -> Question? {
        data?["\(Question.member)"]?.object.flatMap(Question.init(stored:))
    }

    package init(
        place: TrailPlace, type: String, time: Timestamp, verdicts: TrailVerdicts, data: JSONObject?, retracted: Int
    ) {
        self.place = place
        self.type = type
        self.time = time
        self.verdicts = verdicts
        self.data = data
        self.retracted = retracted
    }
}
