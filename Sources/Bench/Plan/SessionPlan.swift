import WireProtocol

/// The sessions that a run, or one worker of it, opens and holds. What it says of a session's own holds for all of
/// them.
package struct SessionPlan: Codable, Sendable {
    /// A header field of each handshake.
    package struct Header: Codable, Sendable {
        package var name: String
        package var value: Template

        package init(name: String, value: Template) {
            (self.name, self.value) = (name, value)
        }
    }

    /// What is spoken once the WebSocket is open.
    package enum Speech: Codable, Sendable {
        /// Belfry's live protocol: hello, an acknowledgement of each notification, resumption.
        /// - Parameters:
        ///   - feed: is subscribed to; nil for none.
        ///   - confirmsAcks: each acknowledgement asks for an answer, whose time is measured.
        case belfry(feed: String?, confirmsAcks: Bool)
        case raw(RawSpeech)
    }

    /// `ws://` or `wss://`; its path may have a template's places.
    package var url: String
    /// PEM file of whom to trust at a `wss` URL; nil for whom the system trusts.
    package var caFile: String?
    package var subprotocols: [String] = []
    package var headers: [Header] = []
    package var speech: Speech
    /// A session's user is this and the session's number.
    package var userPrefix = "bench-"
    /// The numbers of the sessions.
    package var indices: Range<Int>
    /// Sessions opened a second; nil for all at once.
    package var ramp: Double?
    /// Addresses of this machine to connect from, in turns; empty for the system's choice.
    package var sources: [String] = []
    package var shards = 1
    /// Whether the coordinator wants to know at once what was delivered.
    package var tellsFrames = false

    package init(url: String, speech: Speech, indices: Range<Int>) {
        (self.url, self.speech, self.indices) = (url, speech, indices)
    }

    package func user(_ index: Int) -> String { userPrefix + String(index) }

    /// Whether a session cannot open without its user's token.
    package var needsTokens: Bool {
        var templates = headers.map(\.value)
        if case .raw(let speech) = speech { templates += speech.opening }
        return url.contains("{{token}}") || templates.contains { $0.has(.token) }
    }

    /// Splits the sessions evenly among so many workers, which together open them at the same pace.
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
