extension String {
    /// A copy of octets that simdjson has checked to be UTF-8.
    init(checkedUTF8 octets: UnsafeRawBufferPointer) {
        guard octets.count <= Self.maximumInlineBytes else {
            self.init(decoding: octets, as: UTF8.self)
            return
        }
        // Most are keys and names, which need no memory of their own: written in place they cost a third less.
        self.init(unsafeUninitializedCapacity: Self.maximumInlineBytes) { room in
            UnsafeMutableRawBufferPointer(room).copyMemory(from: octets)
            return octets.count
        }
    }

    /// A string itself holds so many bytes on a machine of 64 bits.
    private static var maximumInlineBytes: Int { 15 }
}
