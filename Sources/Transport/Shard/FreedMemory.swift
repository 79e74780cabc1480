import CLinux
import Dispatch

/// Freed memory that malloc keeps because it lies between pieces in use.
package enum FreedMemory {
    /// Returns it to the system soon, on another thread: that takes milliseconds, and allocations wait meanwhile.
    package static func giveBack() { DispatchQueue.global(qos: .utility).async { belfry_trim_heap() } }
}
