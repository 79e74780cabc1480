/// Feeds, and how far people have looked at them.
package protocol FeedDirectory: Sendable {}
