import Testing
import Tracing

struct SpanQueueTests {
    private func span(_ number: UInt64) -> Span {
        Span("s", .internal, trace: TraceID(chance: (1, 1)), id: SpanID(chance: number), parent: nil, start: 0, end: 0)
    }

    @Test func `the first span and a full batch are worth a look`() {
        var queue = SpanQueue(capacity: 10, batch: 3)
        #expect((1...5).map { queue.add(span($0)) } == [.worthALook, .kept, .worthALook, .kept, .kept])
    }

    @Test func `batches leave in order, none larger than asked for`() {
        var queue = SpanQueue(capacity: 10, batch: 3)
        for number: UInt64 in 1...7 { _ = queue.add(span(number)) }
        #expect(queue.take().map(\.id.number) == [1, 2, 3])
        #expect(queue.count == 4)
        _ = queue.add(span(8))
        #expect(queue.take().map(\.id.number) == [4, 5, 6])
        #expect(queue.take().map(\.id.number) == [7, 8])
        #expect(queue.take().isEmpty)
        #expect(queue.count == 0)
    }

    @Test func `a span beyond the room is dropped, and there is room again once some have left`() {
        var queue = SpanQueue(capacity: 4, batch: 2)
        #expect((1...6).map { queue.add(span($0)) }.suffix(2) == [.dropped, .dropped])
        #expect(queue.take().map(\.id.number) == [1, 2])
        #expect((7...9).map { queue.add(span($0)) } == [.kept, .kept, .dropped])
        var left: [UInt64] = []
        while queue.count > 0 { left += queue.take().map(\.id.number) }
        #expect(left == [3, 4, 7, 8])
    }
}
