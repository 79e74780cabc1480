import Inbox
import Storage

/// The process' own clock: it shows the wall clock's time, and goes on evenly when that is set or the process sleeps,
/// until all that waits can go along.
///
/// Times are in milliseconds: of the wall clock, which may be set, and of the running one, which counts while the
/// machine runs. To be looked at once an ``interval``.
struct ClockRule {
    static let interval = Duration.seconds(1)
    /// Less than this is taken over at once: a push that leaves so much sooner or later is none too many.
    static let tolerance: Int64 = 1_000
    /// After so long without a look the process slept. From then on the clock shows the time of the last look, so that
    /// nothing has become due meanwhile.
    static let longestPause: Int64 = 3_000

    private let boot: String?
    /// What the clock shows more than the running one.
    private(set) var offset: Int64
    private var lastLook: Int64

    /// - Parameter last: how an earlier process' clock stood: if the machine has not started anew since, this one goes
    ///   on where that one was.
    init(_ machine: MachineClock, boot: String?, last: ClockReading?) {
        self.boot = boot
        lastLook = machine.running
        offset = machine.wall - machine.running
        if let last, last.boot == boot { offset = last.offset }
    }

    /// Until when the running clock counts.
    var end: Int64 { lastLook + Self.longestPause }

    /// What the clock shows.
    ///
    /// - Parameters:
    ///   - running: the running clock's time.
    ///   - end: as ``end``, and `offset` likewise: whoever asks keeps them apart from the rule.
    static func time(running: Int64, end: Int64, offset: Int64) -> Int64 {
        (running <= end ? running : end - longestPause) + offset
    }

    /// For the next process; nil where nothing tells one start of the machine from another.
    var reading: ClockReading? { boot.map { ClockReading(boot: $0, offset: offset) } }

    /// - Returns: what is to be followed; nil while the clocks are together.
    mutating func look(_ machine: MachineClock) -> ClockJump? {
        let (wall, running) = (machine.wall, machine.running)
        let slept = running > end ? running - lastLook : 0
        offset -= slept
        lastLook = running
        let difference = wall - (running + offset)
        guard abs(difference) >= Self.tolerance else {
            offset += difference
            return nil
        }
        return ClockJump(
            span: .milliseconds(difference),
            cause: slept > 0 && abs(difference - slept) < Self.tolerance ? .sleep : .set,
            now: Timestamp(milliseconds: wall),
            reading: boot.map { ClockReading(boot: $0, offset: offset + difference) })
    }

    /// All that waits has gone along.
    mutating func followed(_ jump: ClockJump) { offset += jump.span.milliseconds }
}
