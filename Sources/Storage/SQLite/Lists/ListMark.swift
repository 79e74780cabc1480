/// Numbers that stand for names: of types and groups in rows of notifications, of feeds in their epochs.
enum ListMark {
    /// FNV-1a over the name's UTF-8 (Fowler, Noll, Vo: draft-eastlake-fnv), in 47 bits: SQLite keeps that in six bytes.
    ///
    /// Stands in stores, so it never changes. That two names of one inbox have the same is as likely as one in a
    /// hundred thousand, with fifty thousand names.
    static func of(_ name: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in name.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
        // The upper half is the better one: folded into the lower.
        return Int64((hash ^ hash >> 47) & (1 << 47 - 1))
    }
}
