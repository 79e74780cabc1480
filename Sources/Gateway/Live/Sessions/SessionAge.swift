/// How old a session is, in minutes and two bytes: each open session has one.
struct SessionAge {
    private static let minute = Moment.nanoseconds(in: .seconds(60))

    /// Of the clock, modulo 2^16: a session of more than 45 days seems younger.
    private let openedMinute: UInt16

    init(from now: Moment) { openedMinute = Self.minute(of: now) }

    func minutes(at now: Moment) -> Int { Int(Self.minute(of: now) &- openedMinute) }

    private static func minute(of moment: Moment) -> UInt16 {
        UInt16(truncatingIfNeeded: moment.count(ofNanoseconds: minute))
    }
}
