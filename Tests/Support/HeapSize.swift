/// The sizes of objects on the heap.
package enum HeapSize {
    /// The bytes that Swift asks malloc for when it makes an object of this class, header included; malloc adds eight and
    /// rounds up to sixteen. Not what malloc gave: that depends on what other tests left of the heap.
    ///
    /// Read from the class' metadata (docs/ABI/TypeMetadata.rst of Swift: where there is no Objective-C, the size comes
    /// after the kind, the superclass, the flags and the address point).
    package static func bytes(of type: AnyClass) -> Int {
        Int(unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self))
    }
}
