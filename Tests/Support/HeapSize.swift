import Glibc

/// What objects take of the heap, as malloc tells.
package enum HeapSize {
    /// What malloc gave an object, without its own eight bytes: what the object needs and no more than 15 above it, or
    /// now and then 16 more, where a rest of that size would have been of no use. Nil where malloc cannot be asked.
    package static func usableBytes(of object: AnyObject) -> Int? {
        // The module map of Glibc leaves malloc.h out.
        guard let symbol = dlsym(nil, "malloc_usable_size") else { return nil }
        let usable = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)
        return usable(Unmanaged.passUnretained(object).toOpaque())
    }

    /// The least of what several objects were given, each made by `make`.
    package static func leastUsableBytes(_ make: () -> AnyObject) -> Int? {
        let objects = (0..<512).map { _ in make() }
        return objects.compactMap(usableBytes).min()
    }
}
