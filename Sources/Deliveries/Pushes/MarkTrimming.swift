/// Decides when older marks of a device go: at one in ``interval`` of its accepted pushes.
///
/// A hash of the push's numbers decides, not a count. A count for each device would have to be stored. A common count
/// could fall into step with the devices' turns, and always meet the same ones.
package enum MarkTrimming {
    package static let interval: UInt64 = 64

    /// - Parameter newest: the last notification of the push.
    package static func isDue(device: Int64, newest: Int64) -> Bool {
        // The finalizer of SplitMix64: each bit of the numbers changes each bit of the hash.
        var hash = UInt64(bitPattern: PushJobNumber(device: device, notification: newest).rawValue)
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return (hash ^ (hash >> 31)) % interval == 0
    }
}
