package import Inbox
package import Store

/// What is new in feeds for a person, as of one moment.
package struct FeedNews {
    let reads: any FeedReads

    package func holds(_ pass: FeedPass) throws -> Bool {
        switch pass {
        case .open: true
        case .member(let user, let topic):
            try reads.viewer(.user(user)).map { try reads.isMember(inbox: $0.inbox, of: topic) } ?? false
        }
    }

    package func mark(of name: String, by user: UserID) throws -> FeedMark {
        guard let feed = try reads.record(named: name) else {
            return FeedMark(viewed: 0, head: try reads.beginning(of: name), newer: 0)
        }
        let viewed = try reads.viewer(.user(user)).map { try reads.viewed(feed, inbox: $0.inbox) } ?? 0
        return FeedMark(viewed: viewed, head: feed.position, newer: try reads.newer(than: viewed, in: feed))
    }

    /// The news of each feed.
    package func summaries(of requests: [FeedSummaries.Request], for viewer: FeedViewer) throws -> FeedSummaries {
        let person = try reads.viewer(viewer)
        let summaries = try requests.map { request -> FeedSummaries.Summary? in
            if let topic = request.topic {
                guard let person, try reads.isMember(inbox: person.inbox, of: topic) else { return nil }
            }
            guard let feed = try reads.record(named: request.feed) else { return .init(tip: FeedTip(), viewed: 0) }
            return .init(tip: feed.tip, viewed: try person.map { try reads.viewed(feed, inbox: $0.inbox) } ?? 0)
        }
        return FeedSummaries(names: person?.names ?? [viewer.name], summaries: summaries)
    }
}

extension FeedViewer {
    /// The name of an unknown viewer.
    fileprivate var name: String {
        switch self {
        case .user(let user): user.name
        case .email(let email, _): email
        }
    }
}
