package import Inbox
package import Logging
package import Transport

/// All settings of an operator. The defaults are those of `Config/belfry.yaml`, which explains each.
///
/// All paths are relative to the folder in which the program was started.
package struct Settings: Sendable, Equatable {
    /// The known push services, which bring settings of their own.
    package var services = PushServices.standard

    /// The public listener: WebSocket and REST.
    package var listen = SocketAddress.tcp(host: "127.0.0.1", port: 8080)
    /// The Unix socket of publishers; nil: `belfry.sock` in the data folder.
    package var socket: String?
    package var socketMode = FileMode(bits: 0o660)
    /// The group whose members may connect, by the mode's middle digit; a name or a number. Nil for the process's own
    /// group.
    package var socketGroup: String?
    /// Metrics, health and the console.
    package var ops = SocketAddress.tcp(host: "127.0.0.1", port: 9090)
    package var data = "./data"
    /// What this process is called among several; nil for the machine's name.
    package var node: String?
    /// Paths of catalogs, and of folders whose `*.yaml` files are catalogs.
    package var catalogs: [String] = []
    /// 0 for as many as the processors that this process may use.
    package var shards = 0
    package var poller = PollerChoice.auto
    package var log = Log()
    package var tls = TLS()
    package var compression = Compression()
    package var publishing = Publishing()
    package var admission = Admission()
    package var proxy = Proxy()
    package var drain = Drain()
    package var limits = Limits()
    package var live = Live()
    package var store = Store()
    package var inbox = Inbox()
    package var trail = Trail()
    package var auth = Auth()
    /// How the tokens of each named app are verified.
    package var authByApp: [AppName: Auth] = [:]
    /// By name: issuers whose keys are fetched by URL.
    package var providers: [String: Provider] = [:]
    package var feeds = Feeds()
    /// By name; without any, whoever may open the Unix socket may do everything.
    package var publishers: [String: Publisher] = [:]
    package var push = Push()
    package var console = Console()
    package var traces = Traces()
    package var webhooks = Webhooks()
    /// Whether tokens signed with the data folder's own secret are accepted, too. Only a flag can turn it on, and no
    /// configuration that is copied to a server.
    package var isDevelopment = false

    package init() {}

    package var socketPath: String { socket ?? (data.hasSuffix("/") ? "\(data)belfry.sock" : "\(data)/belfry.sock") }

    package enum PollerChoice: String, Sendable, CaseIterable {
        /// The one that measured best on this system.
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
        /// A PEM file: the certificate, and the chain behind it.
        package var certificateFile: String?
        /// A PEM file.
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
        /// Shorter messages are not compressed.
        package var threshold = 256
        /// 1 is fastest, 9 is smallest.
        package var level = 1
        /// The compressor's largest window is 2 to this power, in bytes.
        package var windowBits = 15
    }

    /// Limits for connections to the public listener; beyond a limit, the answer is 503 with `Retry-After`.
    package struct Admission: Sendable, Equatable {
        /// Connections at the same time; 0 for as many as there are descriptors.
        package var connections = 0
        /// Connections from one address at the same time; 0 for any number.
        package var connectionsPerAddress = 0
        /// New connections in total; 0 for any number.
        package var connectionsPerSecond = 0
        /// The web origins whose pages may open live sessions, and call REST from another origin. If it is empty, all
        /// may open sessions, and none may call. `null` in the list opens both to sandboxed frames and local files.
        package var origins: [String] = []
    }

    /// Proxies in front of the public listener.
    package struct Proxy: Sendable, Equatable {
        /// Addresses and networks (`10.0.0.0/8`) that are believed about a client's address.
        package var trusted: [String] = []
        /// Whether they begin each connection with a PROXY protocol header, version 2.
        package var usesProxyProtocol = false
    }

    /// The settings for leaving.
    package struct Drain: Sendable, Equatable {
        /// How many clients a second are told to come back; 0 for the rate that this node was seen to take in, at least
        /// ``DrainPlan/slowestRate``.
        package var rate = 0
        /// After this, remaining sessions are closed.
        package var deadline = Duration.seconds(30)
    }

    package struct Limits: Sendable, Equatable {
        /// Enough for a `read` of some 2,000 notifications.
        package var clientFrameBytes = 64 << 10
        package var clientFramesPer10s = 100
        /// REST requests of one user, and of one IPv4 address or IPv6 network of 64 bits; 0 for any number.
        package var requestsPer10s = 300
        package var requestsPerAddressPer10s = 20_000
        package var sessionsPerUser = 16
        /// Bytes that wait for one session before its frames are folded into a `gap`.
        package var queuedBytes = 64 << 10
        /// The time without write progress after which a session closes.
        package var stallTimeout = Duration.seconds(20)
        package var headBytes = 16 << 10
        package var bodyBytes = 1 << 20
        package var headTimeout = Duration.seconds(10)
        package var bodyTimeout = Duration.seconds(60)
        package var bodyStallTimeout = Duration.seconds(10)
        /// Longer than the 60 s after which common balancers close an idle connection (AWS ALB, nginx, HAProxy). They
        /// then close it first, and send no request into a connection that was just closed here.
        package var idleTimeout = Duration.seconds(75)
    }

    package struct Live: Sendable, Equatable {
        package var heartbeat = Duration.seconds(25)
        package var pongTimeout = Duration.seconds(10)
        package var helloTimeout = Duration.seconds(10)
        package var renewGrace = Duration.seconds(25)
        /// For how long a session's token counts, whatever its expiry.
        package var renewAfter = Duration.seconds(86_400)
        package var tokenInQuery = false
    }

    package struct Store: Sendable, Equatable {
        package static let longestCommitInterval = Duration.seconds(1)

        /// The URL of a database in PostgreSQL, which may have a password; nil for SQLite in the data folder.
        package var url: Secret?
        /// The file with the password of the URL's user.
        package var passwordFile: String?
        /// Where a process listens to the others, if the URL leads to a pooler that does not let it; nil for the URL.
        package var listenURL: Secret?
        /// How often a process asks for news of the others, where it can listen nowhere; zero to listen.
        package var pollInterval = Duration.zero
        /// The least time from one commit to the next; zero for none.
        package var commitInterval = Duration.zero
        /// How often to look for events that applications have left in the database; zero to leave them there.
        package var outboxInterval = Duration.milliseconds(100)
        /// The publisher whose rights hold for these events.
        package var outboxPublisher: String?
    }

    /// The limits of a person's inbox.
    package struct Inbox: Sendable, Equatable {
        /// How old a notification may become; zero for any age.
        package var keep = Duration.seconds(90 * 86_400)
        /// About how many notifications there may be: a tenth more may come before the oldest go; 0 for any number.
        package var maximum = 10_000
        /// Whether reading notifications by their ids or group marks everything in the inbox as seen.
        package var readCountsAsLook = false
        /// How many inboxes' positions stay in memory, so that clients that resume or poll cost no read.
        package var rememberedInboxes = 100_000
        /// How many bytes their last changes may take there.
        package var rememberedChangeBytes = 64 << 20
    }

    /// The record of each event: who got what, and why.
    package struct Trail: Sendable, Equatable {
        /// How long it is kept. The recipients of an event with a key are kept as long as one of its notifications
        /// exists.
        package var keep = Duration.seconds(7 * 86_400)
        /// Whether people may ask about decisions on their own notifications; in development they always may.
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
        /// Whether polls without a token are answered; their caller is identified by the address in the body.
        package var pollWithoutToken = false
    }

    package struct Feeds: Sendable, Equatable {
        package enum Undeclared: String, Sendable, CaseIterable {
            case `public`, refused
        }
        /// The access to feeds that no catalog names.
        package var undeclared = Undeclared.public
    }

    package struct Push: Sendable, Equatable {
        /// How long a live session may take to acknowledge before a push is sent.
        package var grace = Duration.seconds(4)
        /// How long a push is worth sending.
        package var expiry = Duration.seconds(24 * 3_600)
        /// How many requests are under way at once, for each provider.
        package var concurrency = 200
        /// After how long without a registration a device is forgotten.
        package var deviceAge = Duration.seconds(270 * 86_400)
        /// How long reads on one device are gathered before the icon's number is corrected on the others.
        package var badgeDelay = Duration.seconds(3)
        /// How many Live Activities a device begins within an hour: its system drops further starts.
        package var activityStartsPerHour = 10
        /// How many updates of Live Activities leave at high priority within an hour for one device.
        package var activityUrgentPerHour = 15
        /// The settings of each push service.
        var byService = ServiceSettingsByType()
    }
}
