/// The last written bytes, within a limit: the oldest are overwritten first.
///
/// The bytes lie in segments. Each is allocated when first needed and then reused: writing allocates and frees nothing.
/// One write lies in one segment.
struct ByteRing: Sendable {
    /// The position of a write. Numbers are never used again: none ever means another write.
    struct Position: Sendable, Hashable {
        let number: UInt64

        /// The position of no write.
        static var none: Self { Self(number: 0) }
    }

    /// Small, so that a quiet server takes little, but many times as large as one write.
    private static var largestSegmentBytes: Int { 256 << 10 }
    /// The least number of segments, as a whole one is dropped at once.
    private static var leastSegments: Int { 8 }

    private let segmentBytes: Int
    private let maximumSegments: Int
    /// Each holds what was written to it, and has room for ``segmentBytes``.
    private(set) var segments: [[UInt8]] = []
    /// How many counted writes each segment holds.
    private var counts: [Int] = []
    /// The number of the segment that is written to. Numbers begin at 1, so that no position is 0.
    private var current = 0

    init(maximumBytes: Int) {
        segmentBytes = min(Self.largestSegmentBytes, maximumBytes / Self.leastSegments)
        maximumSegments = segmentBytes > 0 ? maximumBytes / segmentBytes : 0
    }

    /// How many counted writes are there.
    var count: Int { counts.reduce(0, +) }

    /// The memory of all segments in bytes.
    var allocatedBytes: Int { segments.count * segmentBytes }

    /// - Parameters:
    ///   - maximumBytes: the most bytes of this write.
    ///   - counts: whether it is a counted write.
    /// - Returns: its position; ``Position/none``, without writing, if it may exceed a segment.
    mutating func append(
        maximumBytes: Int, counts isCounted: Bool = false,
        _ write: (_ position: Position, _ room: inout OutputSpan<UInt8>) -> Void
    ) -> Position {
        guard maximumBytes <= segmentBytes, maximumSegments > 0 else { return .none }
        if segments.isEmpty || segments[place(of: current)].count + maximumBytes > segmentBytes { beginSegment() }
        let place = place(of: current)
        let position = Position(number: UInt64(current * segmentBytes + segments[place].count))
        segments[place].append(addingCapacity: maximumBytes) { write(position, &$0) }
        if isCounted { counts[place] += 1 }
        return position
    }

    /// The bytes from a position to its segment's end; nil if they were overwritten.
    func bytes(from position: Position) -> ArraySlice<UInt8>? {
        guard has(position) else { return nil }
        let (segment, offset) = Int(position.number).quotientAndRemainder(dividingBy: segmentBytes)
        let bytes = segments[place(of: segment)]
        return offset < bytes.count ? bytes[offset...] : nil
    }

    /// Whether the write at this position is still there.
    func has(_ position: Position) -> Bool {
        guard maximumSegments > 0, let number = Int(exactly: position.number) else { return false }
        return (max(1, current - maximumSegments + 1)..<(current + 1)).contains(number / segmentBytes)
    }

    private mutating func beginSegment() {
        current += 1
        let place = place(of: current)
        if place < segments.count {
            segments[place].removeAll(keepingCapacity: true)
            counts[place] = 0
        } else {
            var segment: [UInt8] = []
            segment.reserveCapacity(segmentBytes)
            segments.append(segment)
            counts.append(0)
        }
    }

    private func place(of segment: Int) -> Int { (segment - 1) % maximumSegments }
}
