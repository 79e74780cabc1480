package import Inbox

/// What is new in several feeds, told without reading their items; as of one moment.
package struct FeedSummaries: Sendable {
    /// A feed to look at.
    package struct Request: Sendable, Hashable {
        package let feed: String
        /// The topic in which the viewer must be; nil: everybody may look.
        package let topic: String?

        package init(_ feed: String, topic: String? = nil) {
            self.feed = feed
            self.topic = topic
        }
    }

    package struct Summary: Sendable, Hashable {
        package let tip: FeedTip
        /// The viewer's mark; 0 where they have set none.
        package let viewed: Int64

        package init(tip: FeedTip, viewed: Int64) {
            self.tip = tip
            self.viewed = viewed
        }
    }

    /// Under which names the viewer may have published.
    package let names: [String]
    /// In the order of the requests; nil for a feed at which the viewer may not look.
    package let summaries: [Summary?]

    package init(names: [String], summaries: [Summary?]) {
        self.names = names
        self.summaries = summaries
    }
}
