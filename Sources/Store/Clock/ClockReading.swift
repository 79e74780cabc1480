/// The process' clock compared with the machine's running clock, which nobody sets. It is kept with the store, so that
/// the next process on the same machine notices how the wall clock has changed meanwhile.
package struct ClockReading: Sendable, Hashable {
    /// The boot of the machine from which the running clock counts.
    package let boot: String
    /// The process' clock minus the running clock, in milliseconds.
    package let offset: Int64

    package init(boot: String, offset: Int64) {
        self.boot = boot
        self.offset = offset
    }
}
