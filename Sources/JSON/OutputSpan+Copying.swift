extension OutputSpan<UInt8> {
    /// Appends bytes for which there must be room.
    @inline(__always)
    package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
            count += bytes.count
        }
    }
}
