/// Commands but answers show their effect at once. If the server refuses a command, its effect is undone and the call throws.
/// Without a connection a command waits for one.
extension Inbox {
    /// Marks these notifications as read.
    ///
    /// - Throws: a ``BelfryError``.
    public func read(_ ids: [String]) async throws {
        _ = try await settled { $0.command(.read, ids: ids, call: $1, $2) }
    }

    /// Marks as read all notifications that last changed up to a `seq`; later ones stay unread.
    ///
    /// - Parameter seq: nil for all notifications so far.
    /// - Throws: a ``BelfryError``.
    public func read(upTo seq: Int64? = nil) async throws {
        _ = try await settled { $0.command(.read, upTo: seq, call: $1, $2) }
    }

    /// Marks all notifications of the list as seen.
    ///
    /// - Throws: a ``BelfryError``.
    public func seen() async throws {
        _ = try await settled { $0.command(.seen, upTo: nil, call: $1, $2) }
    }

    /// Removes these notifications from the inbox.
    ///
    /// - Throws: a ``BelfryError``.
    public func remove(_ ids: [String]) async throws {
        _ = try await settled { $0.command(.remove, ids: ids, call: $1, $2) }
    }

    /// Answers a notification's ``InboxNotification/question`` by one of its actions.
    ///
    /// Returns once the answer is stored, also if the same answer stood before. The list shows it when the server tells
    /// it, as somebody else may have answered first.
    ///
    /// - Parameters:
    ///   - id: the notification's.
    ///   - action: the action's id.
    /// - Throws: a ``BelfryError``; `already_answered` or `too_late` where another answer stands.
    public func answer(_ id: String, _ action: String) async throws {
        _ = try await settled { $0.answer(id, action, call: $1, $2) }
    }

    /// Loads up to a hundred older notifications, if there are any.
    ///
    /// - Throws: a ``BelfryError``; `network` if no answer came within 30 s.
    public func more() async throws {
        _ = try await settled { $0.more(call: $1, $2) }
    }

    /// Fetches changes, even without a connection: for a refresh in the background.
    ///
    /// Costs one small request if nothing has changed, and none on a connection that is in sync.
    ///
    /// - Returns: whether anything was new.
    /// - Throws: a ``BelfryError``; `network` if no answer came within 30 s.
    public func refresh() async throws -> Bool {
        try await settled { $0.refresh(call: $1, $2) }.bool ?? false
    }

    /// The entries of a feed: across reconnects, in order, each once.
    ///
    /// Each call is a subscription of its own, which ends with the loop, or with the inbox. Entries wait for a slow
    /// loop without a limit.
    ///
    /// - Parameter start: the place to begin at.
    /// - Returns: a sequence. It throws a ``BelfryError`` if the person may not follow the feed (`feed_refused`), or if
    ///   the client stops for a reason other than ``close()``.
    public func feed(_ name: String, after start: FeedStart = .next) -> AsyncThrowingStream<FeedEntry, any Error> {
        follow(name, from: start)
    }
}
