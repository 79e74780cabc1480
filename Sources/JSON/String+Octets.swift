extension String {
    /// Lends the text's UTF-8 in place.
    ///
    /// `withUTF8` would copy and count the string, and `utf8Span` is a call into Swift's library each time. Most texts
    /// are read for a few instructions only.
    @inlinable
    @inline(__always)
    package func withOctets<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        if let value = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return value }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
