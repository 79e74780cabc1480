import CNghttp2
import Glibc

/// The memory of one session of nghttp2, which takes several pieces for each request and gives them back after the answer.
///
/// Pieces that come back are kept by size and handed out again. malloc keeps only seven of a size for each thread; for all
/// others it takes the lock of a heap that the store's writer uses at the same time, and one of the two may have to sleep.
/// Confined to the shard of its session, which must end before it.
final class HTTP2Memory {
    /// What lies there to be used again. Behind a pointer, which the library hands to each function.
    private struct Shelves {
        /// The first piece on each shelf; the next one's address is what a piece holds meanwhile.
        let pieces: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var keptBytes = 0
    }

    /// A shelf's pieces are so much larger than those of the one before.
    private static let step = 64
    /// The largest pieces that are kept.
    private static let largest = 2_048
    /// More goes back to malloc: what a crowd of requests took is not held for as long as the connection lives.
    static let mostKept = 512 << 10
    /// In front of each piece, with its size; as long as the alignment that malloc promises.
    private static let headerBytes = 16

    private let shelves: UnsafeMutablePointer<Shelves>

    init() {
        let count = Self.largest / Self.step
        let pieces = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: count)
        pieces.initialize(repeating: nil, count: count)
        shelves = .allocate(capacity: 1)
        shelves.initialize(to: Shelves(pieces: pieces))
    }

    deinit {
        let pieces = shelves.pointee.pieces
        for shelf in 0..<Self.largest / Self.step {
            while let piece = pieces[shelf] {
                pieces[shelf] = Self.next(piece)
                Glibc.free(piece - Self.headerBytes)
            }
        }
        pieces.deallocate()
        shelves.deallocate()
    }

    /// How much lies there to be used again.
    var keptBytes: Int { shelves.pointee.keptBytes }

    /// As the library wants it; good for as long as this object.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: shelves, malloc: Self.allocate, free: Self.free, calloc: Self.allocateZeroed,
            realloc: Self.resize)
    }

    private static let allocate: nghttp2_malloc = { bytes, shelves in take(bytes, shelves) }

    private static let free: nghttp2_free = { piece, shelves in giveBack(piece, shelves) }

    private static let allocateZeroed: nghttp2_calloc = { count, bytes, shelves in
        let (total, isTooMuch) = count.multipliedReportingOverflow(by: bytes)
        guard !isTooMuch, let piece = take(total, shelves) else { return nil }
        piece.initializeMemory(as: UInt8.self, repeating: 0, count: total)
        return piece
    }

    private static let resize: nghttp2_realloc = { piece, bytes, shelves in
        guard let piece else { return take(bytes, shelves) }
        let capacity = capacity(of: piece)
        if (0...capacity).contains(bytes) { return piece }
        guard let larger = take(bytes, shelves) else { return nil }
        larger.copyMemory(from: piece, byteCount: capacity)
        giveBack(piece, shelves)
        return larger
    }

    /// Nil without memory, also for a size that cannot be.
    private static func take(_ bytes: Int, _ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let shelves = context?.assumingMemoryBound(to: Shelves.self),
            (0...Int.max - headerBytes).contains(bytes)
        else { return nil }
        guard bytes <= largest else { return make(capacity: bytes) }
        let shelf = max(bytes - 1, 0) / step
        let capacity = (shelf + 1) * step
        guard let piece = shelves.pointee.pieces[shelf] else { return make(capacity: capacity) }
        shelves.pointee.pieces[shelf] = next(piece)
        shelves.pointee.keptBytes -= capacity
        return piece
    }

    private static func make(capacity: Int) -> UnsafeMutableRawPointer? {
        guard let block = malloc(headerBytes + capacity) else { return nil }
        block.storeBytes(of: capacity, as: Int.self)
        return block + headerBytes
    }

    private static func giveBack(_ piece: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) {
        guard let piece, let shelves = context?.assumingMemoryBound(to: Shelves.self) else { return }
        let capacity = capacity(of: piece)
        guard capacity <= largest, shelves.pointee.keptBytes + capacity <= mostKept else {
            return Glibc.free(piece - headerBytes)
        }
        let shelf = capacity / step - 1
        piece.storeBytes(of: shelves.pointee.pieces[shelf], as: UnsafeMutableRawPointer?.self)
        shelves.pointee.pieces[shelf] = piece
        shelves.pointee.keptBytes += capacity
    }

    private static func capacity(of piece: UnsafeMutableRawPointer) -> Int {
        (piece - headerBytes).load(as: Int.self)
    }

    /// What lies behind a piece on its shelf.
    private static func next(_ piece: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        piece.load(as: UnsafeMutableRawPointer?.self)
    }
}
