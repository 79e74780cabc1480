import Support
import Testing
import Transport

@Suite struct OutgoingQueueTests {
    @Test(arguments: [1, 3, 64, 4_096], UInt64(1)...3)
    func `gives out what was put in, in order, however it is taken`(scratchBytes: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: scratchBytes, alignment: 1)
        defer { scratch.deallocate() }
        var queue = OutgoingQueue()
        var model: [UInt8] = []
        for _ in 0..<1_500 {
            // Now more comes than goes, now the reverse, so that it grows long and runs empty too.
            if Int.random(in: 0..<100, using: &random) < (model.count < 2_000 ? 55 : 35) {
                let chunk = (0..<Int.random(in: 0...90, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                queue.append(chunk)
                model += chunk
            } else if !queue.isEmpty {
                let run = queue.withNextRun(scratch: scratch) { Array($0) }
                #expect(model.starts(with: run))
                // Messages that piled up leave together, as far as there is room.
                #expect(run.count >= min(scratchBytes, model.count))
                let sent = Int.random(in: 0...run.count, using: &random)
                queue.removeFirst(sent)
                model.removeFirst(sent)
            }
            #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
        }
        while !queue.isEmpty {
            let run = queue.withNextRun(scratch: scratch) { Array($0) }
            #expect(!run.isEmpty && model.starts(with: run))
            queue.removeFirst(run.count)
            model.removeFirst(run.count)
        }
        #expect(model.isEmpty)
    }

    @Test func `many chunks that never run out come through whole`() {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { scratch.deallocate() }
        var queue = OutgoingQueue()
        queue.append([0, 0])
        func chunk(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
        var taken: [UInt8] = []
        for number in 1...2_000 {
            queue.append(chunk(number))
            taken += queue.withNextRun(scratch: scratch) { Array($0.prefix(2)) }
            queue.removeFirst(2)
        }
        #expect(taken == (0..<2_000).flatMap(chunk))
        #expect(queue.count == 2)
    }

    @Test func `one chunk is sent from where it lies, without a copy`() {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { scratch.deallocate() }
        let chunk = [UInt8](repeating: 7, count: 10)
        var queue = OutgoingQueue()
        queue.append(chunk)
        let lies = chunk.withUnsafeBytes { $0.baseAddress }
        #expect(queue.withNextRun(scratch: scratch) { $0.baseAddress } == lies)
    }

    @Test(arguments: [1, 2, 5])
    func `holds on to nothing once everything is gone`(chunks: Int) {
        var chunk = [UInt8](repeating: 1, count: 100)
        var queue = OutgoingQueue()
        for _ in 0..<chunks { queue.append(chunk) }
        queue.removeFirst(100 * chunks)
        let before = chunk.withUnsafeBytes { $0.baseAddress }
        // Were it still shared, this would have to copy it.
        chunk[0] = 2
        #expect(chunk.withUnsafeBytes { $0.baseAddress } == before)
        #expect(queue.count == 0)
    }

    @Test func `takes one word in its connection`() {
        #expect(MemoryLayout<OutgoingQueue>.size == MemoryLayout<Int>.size)
    }

    @Test(arguments: [0, 1, 9])
    func `a part of a lone chunk may go first`(sent: Int) {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { scratch.deallocate() }
        var queue = OutgoingQueue()
        queue.append(Array(0..<10))
        queue.removeFirst(sent)
        #expect(queue.withNextRun(scratch: scratch) { Array($0) } == Array(UInt8(sent)..<10))
        queue.append([10])
        #expect(queue.withNextRun(scratch: scratch) { Array($0) } == Array(UInt8(sent)..<11))
        #expect(queue.count == 11 - sent)
    }
}
