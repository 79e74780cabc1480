/// The last bytes that were written, within a limit: the oldest give way first.
///
/// They lie in segments, each allocated when it is first needed and then used over and over: writing allocates and
/// frees nothing. What is written at once lies in one segment.
struct ByteRing: Sendable {
    /// Where something was written. The numbers go on for ever: none ever means something else.
    struct Position: Sendable, Hashable {
        let number: UInt64

        /// Where nothing ever is.
        static var none: Self { Self(number: 0) }
    }

    /// Few enough that a quiet server takes little, and many times what is written at once.
    private static var largestSegmentBytes: Int { 256 << 10 }
    /// At least so many: a whole segment is forgotten at once.
    private static var leastSegments: Int { 8 }

    private let segmentBytes: Int
    private let maximumSegments: Int
    /// Each holds what was written to it, and has room for ``segmentBytes``.
    private(set) var segments: [[UInt8]] = []
    /// How many of each segment's pieces count.
    private var counts: [Int] = []
    /// Of the segment that is written to; they are counted from 1, so that no position is 0.
    private var current = 0

    init(maximumBytes: Int) {
        segmentBytes = min(Self.largestSegmentBytes, maximumBytes / Self.leastSegments)
        maximumSegments = segmentBytes > 0 ? maximumBytes / segmentBytes : 0
    }

    /// How many of the pieces that are there count.
    var count: Int { counts.reduce(0, +) }

    /// How much memory all pieces have.
    var allocatedBytes: Int { segments.count * segmentBytes }

    /// - Parameters:
    ///   - maximumBytes: how much is written at most.
    ///   - counts: whether it is a piece that counts.
    /// - Returns: where it is; ``Position/none``, and nothing is written, if that is more than a segment.
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

    /// What was written there and behind; nil if that has given way.
    func bytes(from position: Position) -> ArraySlice<UInt8>? {
        guard has(position) else { return nil }
        let (segment, offset) = Int(position.number).quotientAndRemainder(dividingBy: segmentBytes)
        let bytes = segments[place(of: segment)]
        return offset < bytes.count ? bytes[offset...] : nil
    }

    /// Whether what was written there is still there.
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
