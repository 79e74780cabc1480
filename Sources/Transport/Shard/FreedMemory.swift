import CLinux
import Dispatch

/// What was freed, and malloc keeps because it lies between pieces that are in use.
package enum FreedMemory {
    /// Gives it back to the system, soon: it takes milliseconds, in which others wait for memory.
    package static func giveBack() { DispatchQueue.global(qos: .utility).async { belfry_trim_heap() } }
}
