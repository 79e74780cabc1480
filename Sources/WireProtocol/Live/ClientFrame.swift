/// A frame that a client sends on the live connection.
package struct ClientFrame: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case hello(Hello)
        /// All changes up to this one are on screen.
        case ack(seq: Int64)
        case seen(upTo: Int64)
        case read(LiveSelection)
        case remove(ids: [String])
        /// The answer to a notification's question: the action's id.
        case answer(notification: String, action: String)
        /// Whether a person is looking.
        case state(isActive: Bool)
        /// - Parameter tags: limits the items to those with one of these tags; empty for all.
        case subscribe(feed: String, after: ResumePoint?, tags: [String] = [])
        case unsubscribe(feed: String)
        /// No pushes, but for urgent ones, until this date and time; nil ends that.
        case snooze(until: String?)
        /// New credentials for the open connection.
        case token(String)
        /// A type of a later version of the protocol, which is ignored.
        case unknown(type: String)
    }

    /// The first frame of a session.
    package struct Hello: Sendable, Hashable {
        package struct Resume: Sendable, Hashable {
            package let epoch: String
            package let seq: Int64

            package init(epoch: String, seq: Int64) {
                self.epoch = epoch
                self.seq = seq
            }
        }

        package var token: String?
        package var resume: Resume?
        package var device: String?
        /// True by default: a client that does not tell counts as a screen that a person looks at.
        package var isActive: Bool
        package var capabilities: [String]

        package init(
            token: String? = nil, resume: Resume? = nil, device: String? = nil, isActive: Bool = true,
            capabilities: [String] = []
        ) {
            self.token = token
            self.resume = resume
            self.device = device
            self.isActive = isActive
            self.capabilities = capabilities
        }
    }

    /// The client's own id of this frame, as the JSON text of a string or a whole number; it is echoed unchanged.
    package let id: String?
    package let kind: Kind

    /// - Parameter id: JSON text, such as `7` or `"a"`.
    package init(id: String? = nil, _ kind: Kind) {
        self.id = id
        self.kind = kind
    }
}
