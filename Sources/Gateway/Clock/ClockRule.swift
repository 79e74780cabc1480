import Inbox
package import Store

/// The process' own clock, by which pushes wait. It shows the wall clock's time. When that is set, or the process
/// sleeps, it goes on evenly until everything that waits can move along.
///
/// Times are in milliseconds, of the wall clock, which may be set, and of the running clock, which counts while the
/// machine runs. To be checked once in each ``interval``.
package struct ClockRule {
    package static let interval = Duration.seconds(1)
    /// A smaller difference is taken over at once: a push that leaves so much sooner or later does no harm.
    static let tolerance: Int64 = 1_000
    /// After so long without a check the process slept. From then on the clock shows the time of the last check, so
    /// that nothing has become due meanwhile.
    static let longestPause: Int64 = 3_000
    /// From 1970 to the end of 9999. Sums of such times fit easily into an `Int64`.
    private static let possibleTimes: ClosedRange<Int64> = 0...253_402_300_799_999

    private let boot: String?
    /// This clock's time minus the running clock's.
    package private(set) var offset: Int64
    private var lastLook: Int64

    /// - Parameter last: an earlier process' reading. If the machine has not been restarted since, this clock continues
    ///   there. A reading that would show an impossible time is damaged and ignored.
    package init(_ machine: MachineClock, boot: String?, last: ClockReading?) {
        self.boot = boot
        lastLook = machine.running
        offset = machine.wall - machine.running
        if let last, last.boot == boot, Self.isPossible(last.offset, running: machine.running) { offset = last.offset }
    }

    private static func isPossible(_ offset: Int64, running: Int64) -> Bool {
        let (time, isTooFar) = running.addingReportingOverflow(offset)
        return !isTooFar && possibleTimes.contains(time)
    }

    /// The running clock counts until then.
    var end: Int64 { lastLook + Self.longestPause }

    /// The time that the clock shows.
    ///
    /// - Parameters:
    ///   - running: the running clock's time.
    ///   - end: as ``end``, like `offset` as ``offset``: the caller keeps both apart from the rule.
    package static func time(running: Int64, end: Int64, offset: Int64) -> Int64 {
        (running <= end ? running : end - longestPause) + offset
    }

    /// For the next process; nil if boots of the machine cannot be told apart.
    package var reading: ClockReading? { boot.map { ClockReading(boot: $0, offset: offset) } }

    /// - Returns: the jump to follow; nil while the clocks agree.
    package mutating func look(_ machine: MachineClock) -> ClockJump? {
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

    /// Notes that everything that waits has moved along.
    package mutating func followed(_ jump: ClockJump) { offset += jump.span.milliseconds }
}
