import CNghttp2
import Testing

@testable import Transport

@Suite struct HTTP2MemoryTests {
    private let memory = HTTP2Memory()

    private func allocate(_ bytes: Int) -> UnsafeMutableRawPointer? {
        memory.functions.malloc(bytes, memory.functions.mem_user_data)
    }

    private func free(_ piece: UnsafeMutableRawPointer?) {
        memory.functions.free(piece, memory.functions.mem_user_data)
    }

    private func resize(_ piece: UnsafeMutableRawPointer?, _ bytes: Int) -> UnsafeMutableRawPointer? {
        memory.functions.realloc(piece, bytes, memory.functions.mem_user_data)
    }

    @Test func `a piece that came back is handed out again to whoever asks for about as much`() {
        let (first, second) = (allocate(200), allocate(200))
        #expect(first != nil && first != second)
        free(first)
        free(second)
        #expect(allocate(300) != second)
        #expect(allocate(250) == second)
        #expect(allocate(193) == first)
        #expect(memory.keptBytes == 0)
        free(first)
        free(second)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 2_047, 2_048, 2_049, 100_000])
    func `a piece is as large as asked for, and aligned for anything`(bytes: Int) throws {
        for _ in 0..<2 {
            let pieces = try (0..<3).map { _ in try #require(allocate(bytes)) }
            for (index, piece) in pieces.enumerated() {
                #expect(Int(bitPattern: piece) % 16 == 0)
                piece.initializeMemory(as: UInt8.self, repeating: UInt8(index), count: bytes)
            }
            for (index, piece) in pieces.enumerated() {
                #expect(UnsafeRawBufferPointer(start: piece, count: bytes).allSatisfy { $0 == index })
                free(piece)
            }
        }
    }

    @Test func `what is to be zero is zero also in a piece that was used before`() throws {
        let used = try #require(allocate(128))
        used.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 128)
        free(used)
        let piece = try #require(memory.functions.calloc(16, 8, memory.functions.mem_user_data))
        #expect(piece == used)
        #expect(UnsafeRawBufferPointer(start: piece, count: 128).allSatisfy { $0 == 0 })
        free(piece)
    }

    @Test(arguments: [(60, 64), (64, 65), (100, 5_000), (5_000, 5_001), (5_000, 100)])
    func `a piece that changes its size keeps what is in it`(before: Int, after: Int) throws {
        let piece = try #require(resize(nil, before))
        for index in 0..<before {
            piece.storeBytes(of: UInt8(truncatingIfNeeded: index), toByteOffset: index, as: UInt8.self)
        }
        let changed = try #require(resize(piece, after))
        for index in 0..<min(before, after) {
            #expect(changed.load(fromByteOffset: index, as: UInt8.self) == UInt8(truncatingIfNeeded: index))
        }
        free(changed)
    }

    @Test func `no more is kept than a crowd of requests needs`() {
        let pieces = (0..<2 * HTTP2Memory.mostKept / 1_024).map { _ in allocate(1_024) }
        for piece in pieces { free(piece) }
        #expect(memory.keptBytes == HTTP2Memory.mostKept)
    }

    @Test func `large pieces are not kept`() {
        free(allocate(2_049))
        #expect(memory.keptBytes == 0)
    }

    @Test func `a size that cannot be gets nothing`() {
        #expect(memory.functions.calloc(.max, 2, memory.functions.mem_user_data) == nil)
        #expect(allocate(-1) == nil)
        #expect(allocate(.max) == nil)
    }

    @Test func `nothing is given back without harm`() {
        free(nil)
        #expect(memory.keptBytes == 0)
    }
}
