extension String {
    /// Shows the text's UTF-8 where it lies.
    ///
    /// Neither by `withUTF8`, for which the string would be copied and counted, nor by `utf8Span`, which is a call into
    /// Swift's library each time: most texts are looked at for a few instructions.
    @inlinable
    @inline(__always)
    package func withOctets<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        if let value = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return value }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
