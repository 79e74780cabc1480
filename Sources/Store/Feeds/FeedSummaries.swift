package import Inbox

/// The news of several feeds, told without reading their items; as of one moment.
package struct FeedSummaries: Sendable {
    /// A feed to look at.
    package struct Request: Sendable, Hashable {
        package let feed: String
        /// The topic that the viewer must be in; nil if everybody may look.
        package let topic: String?

        package init(_ feed: String, topic: String? = nil) {
            self.feed = feed
            self.topic = topic
        }
    }

    package struct Summary: Sendable, Hashable {
        package let tip: FeedTip
        /// The viewer's mark; 0 without one.
        package let viewed: Int64

        package init(tip: FeedTip, viewed: Int64) {
            self.tip = tip
            self.viewed = viewed
        }
    }

    /// The names under which the viewer may have published.
    package let names: [String]
    /// In the order of the requests; nil for a feed that the viewer may not read.
    package let summaries: [Summary?]

    package init(names: [String], summaries: [Summary?]) {
        self.names = names
        self.summaries = summaries
    }
}
