package import Logging
package import Transport

/// Everything an operator can choose. The defaults are those of `Config/belfry.yaml`, which explains each.
///
/// All paths are relative to the folder in which the program was started.
package struct Settings: Sendable, Equatable {
    /// The public listener: WebSocket and REST.
    package var listen = SocketAddress.tcp(host: "127.0.0.1", port: 8080)
    /// The Unix socket of publishers; nil: `belfry.sock` in the data folder.
    package var socket: String?
    package var socketMode = FileMode(bits: 0o660)
    /// Whose members may connect by the mode's middle digit; a name or a number. Nil for the process's own group.
    package var socketGroup: String?
    /// Metrics and health.
    package var ops = SocketAddress.tcp(host: "127.0.0.1", port: 9090)
    package var data = "./data"
    /// Paths of catalogs, and of folders whose `*.yaml` files are catalogs.
    package var catalogs: [String] = []
    /// 0: as many as processors that this process may use.
    package var shards = 0
    package var poller = PollerChoice.auto
    package var log = Log()
    package var tls = TLS()
    package var compression = Compression()
    package var admission = Admission()
    package var proxy = Proxy()
    package var drain = Drain()
    package var limits = Limits()
    package var live = Live()
    package var store = Store()
    package var inbox = Inbox()
    package var trail = Trail()
    package var auth = Auth()
    package var feeds = Feeds()
    package var push = Push()
    /// Development: tokens signed with the data folder's own secret are accepted too. A flag only, so that no
    /// configuration that is copied to a server can turn it on.
    package var isDevelopment = false

    package init() {}

    package var socketPath: String { socket ?? (data.hasSuffix("/") ? "\(data)belfry.sock" : "\(data)/belfry.sock") }

    package enum PollerChoice: String, Sendable, CaseIterable {
        /// What measured best on this system.
        case auto
        case epoll, dispatch

        package var kind: PollerKind {
            switch self {
            #if os(Linux)
                case .auto: .epoll
            #else
                case .auto: .dispatch
            #endif
            case .epoll: .epoll
            case .dispatch: .dispatch
            }
        }
    }

    package struct Log: Sendable, Equatable {
        package enum Format: String, Sendable, CaseIterable {
            case text, json
        }
        package var level = Logger.Level.info
        package var format = Format.text
    }

    /// Encryption of the public listener; on when both files are given.
    package struct TLS: Sendable, Equatable {
        /// PEM: the certificate, and the chain behind it.
        package var certificateFile: String?
        /// PEM.
        package var keyFile: String?
        package var minimumVersion = Version.tls12
        /// From the connection to the end of the handshake.
        package var handshakeTimeout = Duration.seconds(10)

        package enum Version: String, Sendable, CaseIterable {
            case tls12 = "1.2"
            case tls13 = "1.3"
        }
    }

    /// permessage-deflate (RFC 7692) on live sessions, for clients that offer it.
    package struct Compression: Sendable, Equatable {
        package var isEnabled = true
        /// Shorter messages go as they are.
        package var threshold = 256
        /// 1 is fast, 9 is small.
        package var level = 1
        /// The largest window of the compressor: 2 to that power, in bytes.
        package var windowBits = 15
    }

    /// Who may connect to the public listener; what is beyond a limit is answered with 503 and `Retry-After`.
    package struct Admission: Sendable, Equatable {
        /// At the same time; 0: as many as there are descriptors for.
        package var connections = 0
        /// From one address, at the same time; 0: any number.
        package var connectionsPerAddress = 0
        /// New ones, over all; 0: any number.
        package var connectionsPerSecond = 0
        /// The web origins whose pages may open live sessions, and call REST from another origin; none: all may do the
        /// former, none the latter. `null` among them opens both to sandboxed frames and local files.
        package var origins: [String] = []
    }

    /// Proxies in front of the public listener.
    package struct Proxy: Sendable, Equatable {
        /// Addresses and networks (`10.0.0.0/8`) whose word about a client's address counts.
        package var trusted: [String] = []
        /// Whether they begin each connection with a PROXY protocol header, version 2.
        package var usesProxyProtocol = false
    }

    /// How a node leaves.
    package struct Drain: Sendable, Equatable {
        /// How many clients a second are told to come back; 0: as many as this node has been seen to take in.
        package var rate = 0
        /// Sessions that are left are closed then.
        package var deadline = Duration.seconds(30)
    }

    package struct Limits: Sendable, Equatable {
        /// A `read` of some 2,000 notifications.
        package var clientFrameBytes = 64 << 10
        package var clientFramesPer10s = 100
        /// REST requests of one user, and of one IPv4 address or IPv6 network of 64 bits; 0: any number.
        package var requestsPer10s = 300
        package var requestsPerAddressPer10s = 20_000
        package var sessionsPerUser = 16
        /// Waiting for one session before its frames are folded into a `gap`.
        package var queuedBytes = 64 << 10
        /// Without write progress.
        package var stallTimeout = Duration.seconds(20)
        package var headBytes = 16 << 10
        package var bodyBytes = 1 << 20
        package var headTimeout = Duration.seconds(10)
        package var bodyTimeout = Duration.seconds(60)
        package var bodyStallTimeout = Duration.seconds(10)
        /// Longer than the 60 s after which common balancers let an idle connection go (AWS ALB, nginx, HAProxy): they
        /// then end it, and send no request into a connection that has just been closed here.
        package var idleTimeout = Duration.seconds(75)
    }

    package struct Live: Sendable, Equatable {
        package var heartbeat = Duration.seconds(25)
        package var pongTimeout = Duration.seconds(10)
        package var helloTimeout = Duration.seconds(10)
        package var renewGrace = Duration.seconds(25)
        /// For so long a token counts on a session, whatever its expiry.
        package var renewAfter = Duration.seconds(86_400)
        package var tokenInQuery = false
    }

    package struct Store: Sendable, Equatable {
        package static let longestCommitInterval = Duration.seconds(1)

        /// The least time from one commit to the next; zero: none.
        package var commitInterval = Duration.zero
    }

    /// How much a person's inbox keeps.
    package struct Inbox: Sendable, Equatable {
        /// How old a notification may become; zero: any age.
        package var keep = Duration.seconds(90 * 86_400)
        /// How many notifications there may be, roughly: a tenth more before the oldest go; 0: any number.
        package var maximum = 10_000
        /// Whether all is seen that an inbox holds when some of it is read by its ids or its group.
        package var readCountsAsLook = false
        /// How many inboxes' positions stay in memory, so that clients that resume or poll cost no read.
        package var rememberedInboxes = 100_000
        /// How many bytes their last changes may take there.
        package var rememberedChangeBytes = 64 << 20
    }

    /// What is remembered of each event: who got what, and why.
    package struct Trail: Sendable, Equatable {
        /// How long. Who got an event with a key is remembered for as long as one of its notifications is there.
        package var keep = Duration.seconds(7 * 86_400)
        /// Whether people may ask what was decided about their own notifications; in development they may in any case.
        package var isExplained = false
    }

    package struct Auth: Sendable, Equatable {
        package var algorithms = SigningAlgorithm.allCases
        package var secret: Secret?
        package var secretFile: String?
        package var publicKeyFiles: [String] = []
        package var jwksFile: String?
        package var userClaim = "sub"
        package var audience: [String] = []
        package var issuer: String?
        package var leeway = Duration.seconds(30)
        package var requireExpiry = true
        package var registerDeviceWithoutToken = false
        /// Whether polls without a token are answered, and their caller is believed to be whose address they give.
        package var pollWithoutToken = false
    }

    package struct Feeds: Sendable, Equatable {
        package enum Undeclared: String, Sendable, CaseIterable {
            case `public`, refused
        }
        /// Feeds that no catalog names.
        package var undeclared = Undeclared.public
    }

    package struct Push: Sendable, Equatable {
        /// How long a live session may take to acknowledge before a push is sent.
        package var grace = Duration.seconds(4)
        /// After this a push is not worth sending.
        package var expiry = Duration.seconds(24 * 3_600)
        /// Requests under way at once, for each provider.
        package var concurrency = 200
        /// A device whose app has not registered for so long is forgotten.
        package var deviceAge = Duration.seconds(270 * 86_400)
        /// How long what is read elsewhere is gathered before the icon's number is put right on the other devices.
        package var badgeDelay = Duration.seconds(3)
        package var apns = APNs()
        package var fcm = FCM()
        package var oneSignal = OneSignal()
        package var webPush = WebPush()
    }

    /// Apple's push service; used when the first four are set, of which there are all or none.
    package struct APNs: Sendable, Equatable {
        package var keyID: String?
        package var teamID: String?
        package var keyPath: String?
        package var bundleID: String?
        /// `app=bundle id` for each app that has another than ``bundleID``.
        package var bundleIDs: [AppBundle] = []
        package var useSandbox = false
        /// Replaces Apple's own base URL.
        package var endpoint: String?
        /// Replaces the system's root certificates.
        package var caFile: String?
    }
    /// Google's push service, by its HTTP v1 interface; used when a service account is given.
    package struct FCM: Sendable, Equatable {
        /// The JSON file that Google's console hands out.
        package var serviceAccountPath: String?
        package var endpoint: String?
        package var caFile: String?
    }

    /// OneSignal; used when both are set.
    package struct OneSignal: Sendable, Equatable {
        package var appID: String?
        package var apiKey: Secret?
        package var endpoint: String?
        package var caFile: String?
    }

    /// Browsers' push services; used when both of the first are set.
    package struct WebPush: Sendable, Equatable {
        /// The VAPID key: PEM of an EC key on P-256.
        package var privateKeyPath: String?
        /// Whom a push service may ask about us: a `mailto:` or `https:` URL (RFC 8292 §2.1).
        package var subject: String?
        /// Whose push services browsers may name; a name that begins with a dot stands for all below
        /// it. The port is 443 unless one is written: `localhost:4443`.
        package var hosts = [
            "fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com",
        ]
        /// Replaces scheme, host and port of every subscription's endpoint.
        package var endpoint: String?
        package var caFile: String?
    }
}
