/// The newest item of a feed, and the newest one by another author. For any one person the two tell the newest item
/// that is not their own, without a look at the items.
package struct FeedTip: Sendable, Hashable {
    /// An item's offset and publishing time.
    package struct Place: Sendable, Hashable {
        package let offset: Int64
        package let time: Timestamp

        package init(offset: Int64, time: Timestamp) {
            self.offset = offset
            self.time = time
        }
    }

    /// Nil for a feed that has had no item.
    package private(set) var newest: Place?
    /// The author of the newest item; nil if it has none.
    package private(set) var author: String?
    /// The newest item whose author is not ``author``.
    package private(set) var other: Place?

    package init(newest: Place? = nil, author: String? = nil, other: Place? = nil) {
        self.newest = newest
        self.author = author
        self.other = other
    }

    /// The stamp of an item that is published now: later than all earlier stamps, whatever the clock says.
    package func nextStamp(at now: Timestamp) -> Timestamp {
        guard let newest else { return now }
        return Timestamp(milliseconds: max(now.milliseconds, newest.time.milliseconds + 1))
    }

    /// Resets the tip after an item was removed, or after another change: `newest` is now the newest item.
    package mutating func rewind(to newest: Place?, author: String?, other: Place?) {
        (self.newest, self.author, self.other) = (newest, author, other)
    }

    /// Whether an item of this author would count as the newest item's author's.
    package func isByAuthor(_ other: String?) -> Bool { Self.areSame(other, author) }

    /// Takes in an appended item.
    package mutating func append(_ place: Place, by author: String?) {
        if !Self.areSame(author, self.author) { other = newest }
        (newest, self.author) = (place, author)
    }

    /// The newest item that is not by this person, who may have several names. An item without an author is nobody's.
    /// The answer is exact only if the feed names its authors in one way, by address or by id.
    package func newest(notBy names: [String]) -> Place? {
        names.contains { Self.areSame($0, author) } ? other : newest
    }

    /// Addresses are compared without the case of ASCII letters, user ids octet by octet.
    private static func areSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        guard one.utf8.contains(UInt8(ascii: "@")) else { return ExactText(one) == ExactText(other) }
        return one.utf8.lazy.map(\.lowercasedASCII).elementsEqual(other.utf8.lazy.map(\.lowercasedASCII))
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
