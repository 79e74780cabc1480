/// Numbers that stand for names: of types and groups in rows of notifications, and of feeds in their epochs.
package enum ListMark {
    /// FNV-1a over the name's UTF-8 (Fowler, Noll, Vo: draft-eastlake-fnv), in 47 bits: SQLite keeps that in six bytes.
    ///
    /// Stores hold these numbers, so they never change. Among fifty thousand names in one inbox, two have the same
    /// number with a chance of one in a hundred thousand.
    package static func of(_ name: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in name.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
        // The upper bits are the better ones, so they are folded into the lower ones.
        return Int64((hash ^ hash >> 47) & (1 << 47 - 1))
    }
}
