/// When acknowledgements that wait are written: together with whatever is written next, or by themselves after a while.
///
/// Nobody waits for their answer, and they come right behind the commit that they acknowledge: written at once, each of
/// them would cost a commit of its own. No push overtakes them, since handing one out is a write, too.
struct AcknowledgementDelay {
    private var areWaiting = false
    private var isTimerSet = false

    /// Some wait that nobody has been told of.
    ///
    /// - Returns: whether ``ended()`` is to be called after ``SQLiteStoreOptions/acknowledgementDelay``.
    mutating func begin() -> Bool {
        areWaiting = true
        return !exchange(&isTimerSet, with: true)
    }

    /// Something else is about to be written.
    ///
    /// - Returns: whether they are to be written before it.
    mutating func takeAlong() -> Bool { exchange(&areWaiting, with: false) }

    /// The time is over, for those that wait and may have come later than the first.
    ///
    /// - Returns: whether they are to be written.
    mutating func ended() -> Bool {
        isTimerSet = false
        return takeAlong()
    }
}
