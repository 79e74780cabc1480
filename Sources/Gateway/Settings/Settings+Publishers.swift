package import Transport

extension Settings {
    /// The listener for publishers on other machines.
    package struct Publishing: Sendable, Equatable {
        /// Nil for none.
        package var listen: SocketAddress?
        /// PEM files; without them, the public listener's.
        package var certificateFile: String?
        package var keyFile: String?
        /// Connections at the same time.
        package var connections = 256
    }

    /// A caller on the Unix socket, or by key on the listener for other machines, and its rights.
    package struct Publisher: Sendable, Equatable {
        /// The user or group of the process that calls, as the kernel tells it (`SO_PEERCRED` of unix(7)).
        package var uid: Int?
        package var gid: Int?
        /// See ``PublisherKey/hash(of:)``.
        package var keyHash: Secret?
        /// Nil for any app.
        package var app: String?
        /// The event types; empty for all.
        package var events: [String] = []
        package var calls: [PublisherRight] = [.publish, .retract, .patch, .trail]
        /// How many events and items a second; 0 for any number.
        package var eventsPerSecond = 0
        /// How many at once; at least one second's.
        package var burst = 0
        /// How many bytes may be under way; 0 for as many as there is room for.
        package var bytesUnderWay = 0

        package init() {}
    }

    package subscript(publisher name: String) -> Publisher {
        get { publishers[name] ?? Publisher() }
        set { publishers[name] = newValue }
    }
}
