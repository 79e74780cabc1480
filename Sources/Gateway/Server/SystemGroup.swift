import Glibc

/// The system's groups (group(5)).
enum SystemGroup {
    /// The number of the group with that name, or the number that is given; nil for an unknown name.
    static func id(of name: String) -> UInt32? {
        if let number = UInt32(name) { return number < .max ? number : nil }
        var room = [CChar](repeating: 0, count: 1 << 10)
        while true {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            let code = getgrnam_r(name, &entry, &room, room.count, &found)
            // A group with many members needs more room.
            guard code == ERANGE, room.count < 1 << 20 else { return code == 0 && found != nil ? entry.gr_gid : nil }
            room = [CChar](repeating: 0, count: room.count * 2)
        }
    }
}
