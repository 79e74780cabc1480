/// Decides when waiting acknowledgements are written: with the next write, or by themselves after a while.
///
/// No caller waits for them, and they come right behind the commit that they acknowledge. Written at once, each would
/// cost a commit of its own. No push overtakes them, since handing one out is a write, too.
struct AcknowledgementDelay {
    private var areWaiting = false
    private var isTimerSet = false

    /// Notes that acknowledgements wait.
    ///
    /// - Returns: whether ``ended()`` is to be called after ``SQLiteStoreOptions/acknowledgementDelay``.
    mutating func begin() -> Bool {
        areWaiting = true
        return !exchange(&isTimerSet, with: true)
    }

    /// Notes that another write is about to come.
    ///
    /// - Returns: whether the acknowledgements are to be written before it.
    mutating func takeAlong() -> Bool { exchange(&areWaiting, with: false) }

    /// Notes that the delay is over. Some may have come later than the first.
    ///
    /// - Returns: whether they are to be written.
    mutating func ended() -> Bool {
        isTimerSet = false
        return takeAlong()
    }
}
