import Glibc
import Support
import Testing

@testable import Transport
@testable import WireProtocol

@Suite struct WebSocketGroupTests {
    typealias Event = RecordingWebSocket.Event

    private static let settings = DeflateSettings(thresholdBytes: 100, level: 6, windowBits: 15)

    /// The members that a shard's turn works with.
    private struct Members {
        var group = WebSocketGroup()
        var webSockets: [WebSocketConnection] = []

        /// Sends past the WebSockets where that is possible, and through the other WebSockets.
        ///
        /// - Returns: the places of the WebSockets that the message went through.
        func tell(_ message: OutgoingMessage, _ on: borrowing OnShard) -> [Int] {
            let others = group.send(message, settings, on)
            for index in others { webSockets[index].send(message, on) }
            return others
        }
    }

    /// A server whose clients all come into one group.
    private final class Room: Sendable {
        let journal = Journal<Event>()
        private let references = Journal<WebSocketReference>()
        private let server: TestHTTPServer
        private let members: QueueBound<Members>

        init(_ poller: PollerKind = .epoll) throws {
            server = try TestHTTPServer(
                poller, decide: RecordingWebSocket.accepting(journal, references, deflate: settings))
            members = QueueBound(Members(), on: server.host.shard.queue)
        }

        /// One more member, in step with the others unless told otherwise.
        func join(
            extensions: String? = nil, receiveBufferBytes: Int32? = nil, isInStep: Bool = true
        ) throws -> TestSocket {
            let client = try server.connect(receiveBufferBytes: receiveBufferBytes)
            try client.upgrade(extensions: extensions)
            let joined = Journal<Bool>()
            try references.next().act { [members] webSocket, on in
                members.withState { members in
                    members.group.append(webSocket, on)
                    members.group.setInStep(members.webSockets.count, isInStep)
                    members.webSockets.append(webSocket)
                }
                joined.write(true)
            }
            _ = try joined.next()
            return client
        }

        /// One turn of the shard.
        func turn<Result: Sendable>(
            _ body: @escaping @Sendable (inout Members, borrowing OnShard) throws -> Result
        ) throws -> Result {
            try server.host.run { [members] on in try members.withState { try body(&$0, on) } }
        }
    }

    private static func text(_ text: String) -> (OutgoingMessage, [UInt8]) {
        (OutgoingMessage(text: Array(text.utf8)), FrameEncoder.text(text.utf8))
    }

    @Test(arguments: PollerKind.allCases)
    func `members in step get the message, and the others are named`(poller: PollerKind) throws {
        let room = try Room(poller)
        let clients = try [true, false, true].map { try room.join(isInStep: $0) }
        let others = try room.turn { members, on in members.group.send(Self.text("hello").0, nil, on) }
        #expect(others == [1])
        for index in [0, 2] { #expect(try clients[index].read(exactly: 7) == Self.text("hello").1) }
        _ = try room.turn { members, on in members.webSockets[1].send(text: Array("later".utf8), on) }
        #expect(try clients[1].read(exactly: 7) == Self.text("later").1)
    }

    @Test func `an earlier message to a member in the same turn is not overtaken`() throws {
        let room = try Room()
        let client = try room.join()
        let others = try room.turn { members, on in
            members.webSockets[0].send(text: Array("first".utf8), on)
            return members.tell(Self.text("second").0, on)
        }
        #expect(others == [0])
        #expect(try client.read(exactly: 15) == Self.text("first").1 + Self.text("second").1)
        let next = try room.turn { members, on in members.tell(Self.text("third").0, on) }
        #expect(next == [])
        #expect(try client.read(exactly: 7) == Self.text("third").1)
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes that a socket does not take wait in order, and later messages go straight to it again`(
        poller: PollerKind
    ) throws {
        let room = try Room(poller)
        let client = try room.join(receiveBufferBytes: 4_096)
        let long = String(repeating: "long ", count: 2_000_000)
        #expect(try room.turn { members, on in members.tell(Self.text(long).0, on) } == [])
        #expect(try room.journal.next() == .outputBlocked)
        #expect(try room.turn { members, on in members.tell(Self.text("short").0, on) } == [0])
        let expected = Self.text(long).1 + Self.text("short").1
        #expect(try client.read(exactly: expected.count) == expected)
        #expect(try room.journal.next() == .outputDrained)
        #expect(try room.turn { members, on in members.tell(Self.text("again").0, on) } == [])
        #expect(try client.read(exactly: 7) == Self.text("again").1)
    }

    @Test func `nothing follows a close frame, and a member that is gone is passed over`() throws {
        let room = try Room()
        let (leaver, other) = (try room.join(), try room.join())
        let others = try room.turn { members, on in
            members.webSockets[0].close(1000, reason: "", on)
            return members.tell(Self.text("news").0, on)
        }
        #expect(others == [0])
        let close = FrameEncoder.close(1000)
        #expect(try leaver.read(exactly: close.count) == close)
        try leaver.send(FrameEncoder.close(1000, maskingKey: 7))
        #expect(try leaver.readToEnd() == [])
        leaver.finishSending()
        guard case .closed = try room.journal.next() else { throw TestSocket.UnexpectedEnd() }
        #expect(try room.turn { members, on in members.tell(Self.text("more").0, on) } == [0])
        #expect(try other.read(exactly: 12) == Self.text("news").1 + Self.text("more").1)
    }

    @Test func `the last member takes the place of one that leaves`() throws {
        let room = try Room()
        let clients = try (0..<3).map { _ in try room.join() }
        let others = try room.turn { members, on in
            members.group.remove(at: 0)
            members.group.setInStep(0, false)
            return members.group.send(Self.text("news").0, nil, on)
        }
        #expect(others == [0])
        #expect(try clients[1].read(exactly: 6) == Self.text("news").1)
        _ = try room.turn { members, on in
            for webSocket in members.webSockets { webSocket.send(text: Array("end".utf8), on) }
        }
        for index in [0, 2] { #expect(try clients[index].read(exactly: 5) == Self.text("end").1) }
    }

    @Test func `each member gets joined messages as it agreed to have them, in one piece`() throws {
        let room = try Room()
        let clients = try [nil, "permessage-deflate", "permessage-deflate; server_max_window_bits=9", nil]
            .map { try room.join(extensions: $0) }
        let texts = ["short", String(repeating: "all of it again, ", count: 30), "end"]
        let others = try room.turn { members, on in
            members.tell(OutgoingMessage(joining: texts.map { Self.text($0).0 }), on)
        }
        #expect(others == [])
        for (client, windowBits) in zip(clients, [nil, 15, 9, nil]) {
            let deflate = windowBits.map(DeflateAgreement.init(windowBits:))
            let expected = texts.flatMap {
                Self.text($0).0.frame(for: .frame(deflate), Self.settings, with: MessageCompression())
            }
            #expect(try client.read() == expected)
        }
    }

    /// Lengths from one byte to what no socket takes at once.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `however slowly a member reads, it gets everything in order`(seed: UInt64) throws {
        let room = try Room(seed % 2 == 0 ? .epoll : .dispatch)
        let client = try room.join(receiveBufferBytes: 4_096)
        var random = SeededRandom(seed: seed)
        var (expected, got): ([UInt8], [UInt8]) = ([], [])
        for number in 0..<200 {
            let length = 1 + random.next(below: [10, 1_000, 300_000][random.next(below: 3)])
            let text = [UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 26), count: length)
            let isForAll = random.next(below: 3) > 0
            _ = try room.turn { members, on in
                if isForAll {
                    _ = members.tell(OutgoingMessage(text: text), on)
                } else {
                    members.webSockets[0].send(text: text, on)
                }
            }
            expected += FrameEncoder.text(text)
            if random.next(below: 3) == 0 {
                got += try client.read(exactly: random.next(below: expected.count - got.count + 1))
            }
        }
        got += try client.read(exactly: expected.count - got.count)
        #expect(got == expected)
    }
}
