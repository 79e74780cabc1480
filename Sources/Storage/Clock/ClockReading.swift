/// How a process' clock stood to the machine's running one, which nobody sets: kept with the store, so that the next
/// process on the same machine notices what became of the wall clock meanwhile.
package struct ClockReading: Sendable, Hashable {
    /// Which start of the machine the running clock counts from.
    package let boot: String
    /// What the process' clock showed more than the running one, in milliseconds.
    package let offset: Int64

    package init(boot: String, offset: Int64) {
        self.boot = boot
        self.offset = offset
    }
}
