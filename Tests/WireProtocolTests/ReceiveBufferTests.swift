import Support
import Testing

@testable import WireProtocol

struct ReceiveBufferTests {
    @Test func `gives back what was appended in order, however it is taken`() {
        var random = SeededRandom(seed: 11)
        var buffer = ReceiveBuffer()
        var (appended, taken): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<3000 {
            let bytes = (0..<random.next(below: 40)).map { _ in UInt8(random.next(below: 256)) }
            bytes.withUnsafeBytes { buffer.append($0) }
            appended += bytes
            taken += buffer.take(random.next(below: buffer.count + 1))
            #expect(buffer.count == appended.count - taken.count)
            #expect(buffer.isEmpty == (buffer.count == 0))
        }
        taken += buffer.takeAll()
        #expect(taken == appended)
        #expect(buffer.isEmpty)
    }

    @Test func `offsets count from the front of what is left`() {
        var buffer = ReceiveBuffer()
        ([1, 2, 3, 4, 3] as [UInt8]).withUnsafeBytes { buffer.append($0) }
        buffer.skip(1)
        #expect(buffer[0] == 2)
        #expect(buffer.offset(of: 3, in: 0..<4) == 1)
        #expect(buffer.offset(of: 3, in: 2..<4) == 3)
        #expect(buffer.offset(of: 3, in: 2..<3) == nil)
        #expect(buffer.withUnsafeBytes { Array($0) } == [2, 3, 4, 3])
    }
}
