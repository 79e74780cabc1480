import Glibc

/// One connection through a simulated network: a pair of sockets whose far end the simulation has. Bytes come in order,
/// late, and not at all once it is cut.
@MainActor
final class Link {
    /// How many bytes are on their way to the client at most: then the server's socket fills up.
    private static let window = 2 << 10

    private let timeline: Timeline
    /// In microseconds.
    private let latency: ClosedRange<Int64>
    private var descriptor: Int32
    private var lastUp: Int64 = 0
    private var lastDown: Int64 = 0
    private var bytesDown = 0
    /// Bytes that have come to the server's socket and found no room there.
    private var waiting: [UInt8] = []
    private var isEnding = false
    private var isDown = false
    /// Nothing passes any more, and nobody is told.
    private(set) var isSilent = false
    /// The client takes nothing for now.
    var isStalled = false { didSet { if isStalled { hasStalled = true } } }
    /// Whether the server may have had a reason to give the client up that it could not tell.
    private(set) var hasStalled = false
    /// The server, while it lives.
    weak var node: SimulatedNode?
    /// Called when the server's socket has news.
    var arrived: () -> Void = {}
    var received: ([UInt8]) -> Void = { _ in }
    /// Called once at most.
    var closed: () -> Void = {}

    /// - Parameter accept: gets the server's end.
    init(_ timeline: Timeline, latency: ClosedRange<Int64>, accept: (Int32) -> Void) {
        (self.timeline, self.latency) = (timeline, latency)
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &pair) == 0, "no descriptors are left")
        var bytes: Int32 = 1
        setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        descriptor = pair[0]
        accept(pair[1])
    }

    var isOpen: Bool { descriptor >= 0 }

    /// Sends to the server.
    func send(_ bytes: [UInt8]) {
        guard isOpen, !isSilent else { return }
        lastUp = max(lastUp, timeline.elapsed + timeline.microseconds(latency))
        timeline.after(lastUp - timeline.elapsed) { [self] in
            guard isOpen, !isSilent else { return }
            waiting += bytes
            pump()
            arrived()
        }
    }

    /// The client closes: the server hears of it behind everything else.
    func close() {
        guard isOpen, !isEnding else { return }
        isEnding = true
        closed = {}
        received = { _ in }
        if isSilent { return }
        lastUp = max(lastUp, timeline.elapsed + timeline.microseconds(latency))
        timeline.after(lastUp - timeline.elapsed) { [self] in
            guard !isSilent else { return }
            drop()
            arrived()
        }
    }

    /// Cuts it for both ends.
    func cut() {
        guard isOpen else { return }
        drop()
        arrived()
        timeline.after(timeline.microseconds(latency)) { [self] in tellClosed() }
    }

    /// Loses everything from now on, and neither end hears of it.
    func silence() { isSilent = true }

    /// Its host knows nothing of the connection any more. The client hears it if it sends, or never.
    func forget() {
        drop()
        isSilent = true
    }

    private func drop() {
        guard isOpen else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    private func tellClosed() {
        let told = closed
        closed = {}
        received = { _ in }
        told()
    }

    /// Moves bytes between the server's socket and the network. To be called when the server may have written.
    func pump() {
        guard isOpen, !isSilent else { return }
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            waiting.removeFirst(count)
        }
        guard !isStalled, !isDown else { return }
        var buffer = [UInt8](repeating: 0, count: 8 << 10)
        while bytesDown < Self.window {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                carry(Array(buffer[..<count]))
                continue
            }
            if count == 0 || errno != EAGAIN {
                isDown = true
                lastDown = max(lastDown, timeline.elapsed + timeline.microseconds(latency))
                timeline.after(lastDown - timeline.elapsed) { [self] in
                    guard !isSilent else { return }
                    drop()
                    tellClosed()
                }
            }
            return
        }
    }

    private func carry(_ bytes: [UInt8]) {
        bytesDown += bytes.count
        lastDown = max(lastDown, timeline.elapsed + timeline.microseconds(latency))
        timeline.after(lastDown - timeline.elapsed) { [self] in
            bytesDown -= bytes.count
            // There is room for more, which lets the server go on.
            arrived()
            guard !isSilent, !isEnding else { return }
            received(bytes)
        }
    }
}
