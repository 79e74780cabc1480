import Glibc
import Testing
import Transport

@testable import Gateway

/// Publishers that are faster than the store.
@Suite(.mayNotHang)
struct PublishFloodTests {
    private static let event = RoomsEvent.liked(to: "sarah").replacing("\n", with: " ")
    private static let stream = "application/x-ndjson"
    /// The most lines that one read may bring; they are taken in at once.
    private static let linesPerRead = (64 << 10) / event.utf8.count + 1

    @Test func `a stream is read on only as its lines are answered, and in the end all of them are`() async throws {
        let store = StalledStore()
        let listener = try await PublishListener(store)
        async let answer = listener.publish(
            String(repeating: Self.event + "\n", count: 5_000), type: Self.stream)
        await store.awaitWaiting(512)
        // Each of these is a turn of the same shard, in which it could read more of the stream.
        for _ in 0..<50 { #expect(try await listener.isHealthy()) }
        #expect(store.mostWaiting <= 512 + Self.linesPerRead)
        store.goOn()
        #expect(try await answer.matches(of: /"created":1,/).count == 5_000)
        #expect(listener.node.publishLoad.underWay == 0)
        await listener.stop()
    }

    @Test func `the lines that one commit answers are sent in one piece`() async throws {
        let store = StalledStore()
        let listener = try await PublishListener(store)
        async let answer = listener.publish(String(repeating: Self.event + "\n", count: 40), type: Self.stream)
        await store.awaitWaiting(40)
        listener.onShard { store.goOn() }
        let text = try await answer
        #expect(text.matches(of: /"created":1,/).count == 40)
        // Between pieces stands how long the next one is (RFC 9112 §7.1).
        #expect(text.matches(of: /}\n{/).count == 39)
        await listener.stop()
    }

    @Test func `single publishes beyond the bound are refused with 503, and taken again later`() async throws {
        let store = StalledStore()
        let listener = try await PublishListener(store, maximumBytes: Self.event.utf8.count * 3)
        try await withThrowingTaskGroup(of: String.self) { group in
            for count in 1...3 {
                group.addTask { try await listener.publish(Self.event) }
                await store.awaitWaiting(count)
            }
            let refused = try await listener.publish(Self.event)
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.contains("Retry-After: 1\r\n") && refused.contains(#""code":"overloaded""#))
            #expect(store.mostWaiting == 3)
            store.goOn()
            for try await answer in group { #expect(answer.hasPrefix("HTTP/1.1 202 ")) }
        }
        #expect(try await listener.publish(Self.event).hasPrefix("HTTP/1.1 202 "))
        await listener.stop()
    }

    @Test func `a publish that is answered takes no room from the one that waited behind it`() async throws {
        let store = StalledStore()
        let listener = try await PublishListener(store, maximumBytes: Self.event.utf8.count)
        async let answers = listener.publish(pipelined: [Self.event, Self.event, Self.event])
        await store.awaitWaiting(1)
        #expect(listener.node.publishLoad.isFull(for: .user(getuid())))
        store.goOn()
        #expect(try await answers.matches(of: #/HTTP/1\.1 202 /#).count == 3)
        #expect(listener.node.publishLoad.underWay == 0)
        await listener.stop()
    }

    @Test func `a stream waits as well while single publishes take all the room`() async throws {
        let store = StalledStore()
        let listener = try await PublishListener(store, maximumBytes: Self.event.utf8.count)
        async let single = listener.publish(Self.event)
        await store.awaitWaiting(1)
        async let answer = listener.publish(
            String(repeating: Self.event + "\n", count: 2_000), type: Self.stream)
        for _ in 0..<50 { #expect(try await listener.isHealthy()) }
        #expect(store.mostWaiting <= 1 + Self.linesPerRead)
        store.goOn()
        #expect(try await single.hasPrefix("HTTP/1.1 202 "))
        #expect(try await answer.matches(of: /"created":1,/).count == 2_000)
        await listener.stop()
    }

    @Test func `the room of a publish is given back when nobody holds its share any more`() {
        let load = PublishLoad(maximumBytes: 10)
        var shares = [load.take(6, by: .user(7)), load.take(6, by: .user(7)), load.take(1, by: .user(7))]
        #expect(shares.map { $0 == nil } == [false, false, true])
        #expect((load.underWay, load.isFull(for: .user(7))) == (2, true))
        shares = []
        #expect((load.underWay, load.isFull(for: .user(7))) == (0, false))
    }

    @Test func `the room of a publish is given back once, however often its share is ended`() {
        let load = PublishLoad(maximumBytes: 10)
        let other = load.takeAnyway(6, by: .user(7))
        var share = load.take(6, by: .user(7))
        share?.end()
        #expect((load.underWay, load.isFull(for: .user(7))) == (1, false))
        share?.end()
        share = nil
        #expect((load.underWay, load.isFull(for: .user(7))) == (1, false))
        let last = load.take(4, by: .user(7))
        #expect((load.underWay, load.isFull(for: .user(7))) == (2, true))
        withExtendedLifetime((other, last)) {}
    }

    @Test func `no publisher takes all the room, so that others always find some`() {
        let load = PublishLoad(maximumBytes: 100)
        var shares: [PublishLoad.Share] = []
        while let share = load.take(5, by: .user(1)) { shares.append(share) }
        #expect((75...85).contains(shares.count * 5))
        #expect(load.isFull(for: .user(1)) && !load.isFull(for: .user(2)))
        let before = shares.count
        while let share = load.take(1, by: .user(2)) { shares.append(share) }
        #expect(shares.count > before)
        // A third publisher finds room, too.
        #expect(load.take(1, by: .user(3)) != nil)
        shares = []
        #expect(!load.isFull(for: .user(1)))
    }

    @Test func `a body that grows while there is no room is refused, and counts nothing`() {
        let load = PublishLoad(maximumBytes: 10)
        let small = load.take(0, by: .user(1))
        let large = load.takeAnyway(10, by: .user(2))
        #expect(small?.grow(by: 3) == false)
        #expect(load.take(0, by: .user(1)) == nil)
        large.end()
        #expect(small?.grow(by: 3) == true)
    }
}
