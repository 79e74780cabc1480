import Support
import Testing

@testable import Transport

@Suite struct HandshakeLineTests {
    @Test func `those who have begun go first, but for one newcomer a turn`() {
        var line = HandshakeLine<Int>()
        for number in 1...4 { line.append(number, hasBegun: false) }
        for number in 11...15 { line.append(number, hasBegun: true) }
        #expect((0..<4).map { line.next(step: $0) } == [1, 11, 12, 13])
        #expect((0..<4).map { line.next(step: $0) } == [2, 14, 15, 3])
        #expect(line.count == 1)
        #expect((0..<4).map { line.next(step: $0) } == [4, nil, nil, nil])
    }

    @Test(arguments: UInt64(1)...3)
    func `a waiting line gives out what was put in, in order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var line = WaitingLine<Int>()
        var model: [Int] = []
        for number in 0..<5_000 {
            if Int.random(in: 0..<100, using: &random) < (number / 500 % 2 == 0 ? 70 : 40) {
                line.append(number)
                model.append(number)
            } else {
                #expect(line.removeFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(line.count == model.count)
        }
    }
}
