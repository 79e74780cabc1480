package import Inbox

/// A stored item.
package struct StoredItem {
    package let place: FeedTip.Place
    package let json: [UInt8]

    package init(place: FeedTip.Place, json: [UInt8]) {
        (self.place, self.json) = (place, json)
    }
}
