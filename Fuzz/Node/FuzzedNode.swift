import Dispatch
import Gateway
import Glibc
import Inbox
import Logging
import Push
package import ReferenceStore
import Store
import Support
import Synchronization
import Transport

/// One process of Belfry with a store in memory, over real sockets and simulated time, which a target asks whatever it
/// likes. It has the program's own HTTP, sessions, services and rules.
///
/// Everything happens on the main thread, one thing after the other, so that an input always leads to the same.
@MainActor
package final class FuzzedNode {
    /// More turns than any input can give work for.
    private static let mostTurns = 20_000

    package let store: MemoryStore
    private let parts: NodeParts
    private let timeline = Timeline(seed: 1)
    private let poller: SimulatedPoller
    private let work: WorkQueue
    private let core: NodeCore
    private var endpoints: [HTTPEndpoint] = []

    package init(_ parts: NodeParts) {
        self.parts = parts
        let (timeline, work) = (timeline, WorkQueue())
        self.work = work
        poller = SimulatedPoller(shardOf: 0, timeline)
        let presence = Presence(maximumSessionsPerUser: parts.settings.limits.sessionsPerUser)
        let now: @Sendable () -> Timestamp = { MainActor.assumeIsolated { timeline.wallClock } }
        let chance: @Sendable () -> Double = { MainActor.assumeIsolated { timeline.fraction() } }
        var rules = StoreOptions(
            makeEpoch: { MainActor.assumeIsolated { "epoch\(timeline.random.next())" } },
            isLive: { user in presence.isLive(user, at: MainActor.assumeIsolated { timeline.instant }) },
            isConnected: { presence.isConnected($0) })
        rules.clock = now
        presence.settle(from: timeline.instant, for: .zero)
        store = MemoryStore(rules, executor: work)
        let metrics = Metrics(parts.settings.services.providers, namedApps: [])
        let node = Node(
            settings: parts.settings, store: store, authenticator: parts.authenticator, catalogs: parts.catalogs,
            presence: presence, metrics: metrics, logger: Self.silent, now: now, chance: chance)
        // No push leaves: lanes have threads of their own.
        let dispatcher = PushDispatcher(
            store: store, providers: ProviderList([]), senders: [:], options: .init(), metrics: metrics,
            logger: Self.silent, now: now, chance: chance)
        core = NodeCore(node, on: ShardGroup([poller.shard]), dispatcher: dispatcher)
        guard let endpoints = try? Endpoints(core) else { fatalError("settings that serve nobody") }
        core.hearCommits()
        poller.enter { on in self.endpoints = [endpoints.clients(on), endpoints.publishers()] }
        core.resume()
        rest()
    }

    private static let silent: Logger = {
        var logger = Logger(label: "fuzzed") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        return logger
    }()

    /// Sends bytes over a connection of its own, ends it when nothing more comes for a while, and returns what came.
    ///
    /// - Parameter isPublisher: whether over the Unix socket, and not the public listener.
    package func exchange(_ bytes: [UInt8], isPublisher: Bool) -> [UInt8] {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { fatalError("no descriptors are left") }
        poller.enter { on in HTTPConnection.open(pair[1], at: endpoints[isPublisher ? 1 : 0], on) }
        var (rest, answer) = (bytes[...], [UInt8]())
        // A socket takes some; the node has to read before it takes more.
        repeat {
            let sent = rest.withUnsafeBytes { send(pair[0], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent > 0 { rest = rest.dropFirst(sent) }
            self.rest()
            answer += received(on: pair[0])
            if sent < 0, errno != EAGAIN { break }
        } while !rest.isEmpty
        shutdown(pair[0], Int32(SHUT_WR))
        self.rest()
        // Calls that wait for something come to their end.
        for _ in 0..<3 {
            pass(.seconds(61))
            answer += received(on: pair[0])
        }
        close(pair[0])
        self.rest()
        return answer
    }

    /// Ends it: nothing of it stays in memory.
    package func stop() {
        core.dispatcher.stop()
        // The listeners hold the node, which holds its store.
        store.onCommit({ _ in }, tell: { _ in }, within: { $0() })
        poller.shard.stop {}
        rest()
        endpoints = []
    }

    private func received(on descriptor: Int32) -> [UInt8] {
        var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 16 << 10))
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            // There is room again for what waits.
            rest()
        }
    }

    private func pass(_ span: Duration) {
        _ = timeline.advance(before: timeline.elapsed + Int64(span / .microseconds(1)))
        rest()
    }

    /// Lets everything happen that can happen now.
    private func rest() {
        for _ in 0..<Self.mostTurns {
            if let next = work.next() {
                next()
            } else if poller.hasWork {
                poller.turn()
            } else {
                return
            }
        }
        fatalError("a node that never rests")
    }
}

/// The work of a store, which is done when the node has its turn.
private final class WorkQueue: StoreExecutor {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    func write(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }
    func read(_ work: @escaping @Sendable () -> Void) { write(work) }
    func announce(_ work: @escaping @Sendable () -> Void) { write(work) }

    func next() -> (@Sendable () -> Void)? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
