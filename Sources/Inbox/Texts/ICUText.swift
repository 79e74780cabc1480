import _FoundationICU

/// Reads the UTF-16 text that an ICU function writes into a buffer.
enum ICUText {
    /// - Parameter call: writes into a buffer of `capacity` units, and returns the text's length in units.
    /// - Returns: nil if ICU reports an error.
    static func read(
        _ call: (_ buffer: UnsafeMutablePointer<UChar>?, _ capacity: Int32, _ status: inout UErrorCode) -> Int32
    ) -> String? {
        var capacity = 128
        while true {
            var units = [UChar](repeating: 0, count: capacity)
            var status = U_ZERO_ERROR
            let length = Int(units.withUnsafeMutableBufferPointer { call($0.baseAddress, Int32($0.count), &status) })
            // One retry is enough: ICU tells the needed size.
            if status == U_BUFFER_OVERFLOW_ERROR, length > capacity {
                capacity = length
                continue
            }
            guard status.rawValue <= U_ZERO_ERROR.rawValue, length <= capacity else { return nil }
            return String(decoding: units[..<length], as: UTF16.self)
        }
    }
}
