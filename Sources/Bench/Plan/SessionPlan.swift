import WireProtocol

/// The sessions that a run, or one of its workers, opens and holds. Each setting of a session applies to all of them.
package struct SessionPlan: Codable, Sendable {
    /// A header field of each handshake.
    package struct Header: Codable, Sendable {
        package var name: String
        package var value: Template

        package init(name: String, value: Template) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The protocol after the WebSocket has opened.
    package enum Speech: Codable, Sendable {
        /// Belfry's live protocol: hello, an acknowledgement of each notification, resumption.
        /// - Parameters:
        ///   - feed: the feed to subscribe to; nil for none.
        ///   - confirmsAcks: whether each acknowledgement asks for an answer, whose time is measured.
        case belfry(feed: String?, confirmsAcks: Bool)
        case raw(RawSpeech)
    }

    /// `ws://` or `wss://`; the path may have a template's places.
    package var url: String
    /// A PEM file of trusted certificates for a `wss` URL; nil for the system's.
    package var caFile: String?
    package var subprotocols: [String] = []
    package var headers: [Header] = []
    package var speech: Speech
    /// The prefix of a session's user; the session's number follows.
    package var userPrefix = "bench-"
    /// The numbers of the sessions.
    package var indices: Range<Int>
    /// Sessions opened a second; nil for all at once.
    package var ramp: Double?
    /// Local addresses to connect from, in turn; empty for the system's choice.
    package var sources: [String] = []
    package var shards = 1
    /// Whether the coordinator must learn of deliveries at once.
    package var tellsFrames = false

    package init(url: String, speech: Speech, indices: Range<Int>) {
        (self.url, self.speech, self.indices) = (url, speech, indices)
    }

    package func user(_ index: Int) -> String { userPrefix + String(index) }

    /// Whether a session needs its user's token to open.
    package var needsTokens: Bool {
        var templates = headers.map(\.value)
        if case .raw(let speech) = speech { templates += speech.opening }
        return url.contains("{{token}}") || templates.contains { $0.has(.token) }
    }

    /// Splits the sessions evenly among workers, which together open them at the same rate.
    package func split(among workers: Int) -> [SessionPlan] {
        (0..<workers).map { worker in
            var share = self
            let start = indices.lowerBound
            share.indices =
                (start + indices.count * worker / workers)..<(start + indices.count * (worker + 1) / workers)
            share.ramp = ramp.map { $0 / Double(workers) }
            return share
        }
    }
}
