import CLinux
import Dispatch

/// The memory that malloc manages for the whole process.
package enum Heap {
    /// Returns freed memory to the system soon, also from between pieces in use; on another thread, as that takes
    /// milliseconds, and allocations wait meanwhile.
    package static func giveBackFreed() { DispatchQueue.global(qos: .utility).async { belfry_trim_heap() } }

    /// The bytes of all pieces in use, without what is kept for later ones; nil with another malloc than jemalloc.
    package static var bytesInUse: Int? {
        let count = belfry_heap_bytes_in_use()
        return count > 0 ? count : nil
    }
}
