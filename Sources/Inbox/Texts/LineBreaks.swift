import Synchronization
import _FoundationICU

/// The places where a line of text may break: Unicode's rules (UAX #14), and ICU's dictionaries for scripts without
/// blanks between words, such as Thai.
enum LineBreaks {
    /// ICU's own iterator. It belongs to one thread at a time, so the lock is held for each use, about two
    /// microseconds. Opening one for each text takes eleven.
    private struct Iterator: ~Copyable {
        let handle: OpaquePointer? = {
            var status = U_ZERO_ERROR
            let handle = swift_ubrk_open(UBRK_LINE, "", nil, 0, &status)
            return status.rawValue <= U_ZERO_ERROR.rawValue ? handle : nil
        }()

        deinit { swift_ubrk_close(handle) }
    }

    private static let iterator = Mutex(Iterator())

    /// The last wanted place where a line may break; nil if there is none behind the text's start.
    ///
    /// - Parameters:
    ///   - units: the text in UTF-16.
    ///   - offset: the greatest place; places count UTF-16 units.
    static func last(in units: [UInt16], atMost offset: Int, where isWanted: @Sendable (Int) -> Bool) -> Int? {
        iterator.withLock { iterator in
            guard let handle = iterator.handle else { return nil }
            return units.withUnsafeBufferPointer { units in
                var status = U_ZERO_ERROR
                // ICU keeps the address, but reads from it only during calls for places.
                swift_ubrk_setText(handle, units.baseAddress, Int32(units.count), &status)
                guard status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
                let isPlace = swift_ubrk_isBoundary(handle, Int32(offset)) != 0
                var place = isPlace ? Int32(offset) : swift_ubrk_preceding(handle, Int32(offset))
                while place > 0, !isWanted(Int(place)) { place = swift_ubrk_preceding(handle, place) }
                return place > 0 ? Int(place) : nil
            }
        }
    }
}
