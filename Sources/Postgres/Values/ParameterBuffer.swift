/// The parameters of one statement in PostgreSQL's binary form, one after the other in memory that is used again.
struct ParameterBuffer {
    /// What a rare large statement took is not kept.
    private static let keptBytes = 1 << 20

    /// The parameters' types.
    private(set) var types: [UInt32] = []
    private var bytes: [UInt8] = []
    /// Where each begins; nil for NULL.
    private var places: [Int?] = []
    private var lengths: [Int32] = []
    /// All are binary.
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// Takes the place of what was here.
    mutating func encode(_ values: [PostgresValue]) {
        if bytes.capacity > Self.keptBytes { bytes = [] }
        bytes.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for value in values {
            types.append(value.type)
            let start = bytes.count
            let isThere = append(value)
            places.append(isThere ? start : nil)
            lengths.append(Int32(clamping: bytes.count - start))
        }
        // libpq takes an address of nothing for NULL, and an array without bytes has none.
        bytes.append(0)
        while formats.count < values.count { formats.append(1) }
    }

    /// Calls with libpq's arguments: how many, values, lengths, formats. They are valid during the call.
    mutating func withArguments<Result>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.bindMemory(to: CChar.self).baseAddress
            pointers.removeAll(keepingCapacity: true)
            for place in places { pointers.append(place.flatMap { base?.advanced(by: $0) }) }
            return body(Int32(places.count), pointers, lengths, formats)
        }
    }

    // MARK: Encoding

    /// - Returns: false for NULL.
    private mutating func append(_ value: PostgresValue) -> Bool {
        switch value {
        case .int64(let number?): append(number)
        case .int32(let number?): append(number)
        case .bool(let isTrue?): bytes.append(isTrue ? 1 : 0)
        case .text(let text?): bytes.append(contentsOf: text.utf8)
        case .bytes(let some?): bytes.append(contentsOf: some)
        case .int64s(let numbers):
            appendArray(numbers, of: 20) { buffer, number in
                buffer.append(Int32(8))
                buffer.append(number)
            }
        case .texts(let texts):
            appendArray(texts, of: 25) { buffer, text in
                buffer.append(Int32(clamping: text.utf8.count))
                buffer.bytes.append(contentsOf: text.utf8)
            }
        case .byteArrays(let arrays):
            appendArray(arrays, of: 17) { buffer, some in
                buffer.append(Int32(clamping: some.count))
                buffer.bytes.append(contentsOf: some)
            }
        case .int64(nil), .int32(nil), .bool(nil), .text(nil), .bytes(nil): return false
        }
        return true
    }

    private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// As `array_recv` reads it: dimensions, whether there are NULLs, the type, the count, the first index, elements.
    private mutating func appendArray<Element>(
        _ elements: [Element?], of type: UInt32, append: (inout ParameterBuffer, Element) -> Void
    ) {
        self.append(Int32(elements.isEmpty ? 0 : 1))
        self.append(Int32(elements.contains { $0 == nil } ? 1 : 0))
        self.append(type)
        guard !elements.isEmpty else { return }
        self.append(Int32(clamping: elements.count))
        self.append(Int32(1))
        for element in elements {
            guard let element else {
                self.append(Int32(-1))
                continue
            }
            append(&self, element)
        }
    }
}
