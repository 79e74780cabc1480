/// How much of a feed a reader may ask for at once, over REST and live.
package enum FeedReading {
    package static let maximumItems = 500
    package static let maximumTags = 20
    /// For a message.
    package static let tagsExpectation = "expected at most \(maximumTags)"
}
