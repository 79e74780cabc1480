import CNghttp2

/// Turns requests into header fields, for one connection.
///
/// The peer's table for fields that repeat is small, and what comes in pushes out what came first. So a field goes into
/// it when its name is new or its value is that of the request before (RFC 7541 §6.2.1): a collapse id or a path would
/// only drive out the topic. An `authorization` never does, by the library's own rule. Apple asks for the same.
///
/// What a request has in common with the one before is not touched: to copy all of its texts took longer than all that
/// the library does with them.
struct HTTP2RequestFields {
    /// A name, and the value that came with it last.
    private final class Slot {
        let name: HTTP2StableText
        let value: HTTP2StableText
        let isLength: Bool
        /// Whether it stays for as long as the connection, so that the library need not copy the name and make it
        /// small.
        let staysForGood: Bool
        /// The request that used it last: one may have a name twice, and each value needs a place.
        var request = 0

        /// - Parameter name: in lower case.
        init(_ name: String, _ value: String = "", staysForGood: Bool = true) {
            self.name = HTTP2StableText(name)
            self.value = HTTP2StableText(value)
            isLength = name == HTTP2RequestFields.contentLength
            self.staysForGood = staysForGood
        }

        /// Takes a value; tells whether it is that of the request before.
        func take(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
            if value.holds(octets) { return true }
            value.replace(with: octets)
            return false
        }

        func take(_ text: String) -> Bool {
            var text = text
            return text.withUTF8(take)
        }

        func view(isIndexed: Bool) -> nghttp2_nv {
            var flags = isIndexed ? NGHTTP2_NV_FLAG_NONE.rawValue : NGHTTP2_NV_FLAG_NO_INDEX.rawValue
            if staysForGood { flags |= NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue }
            return nghttp2_nv(
                name: name.start, value: value.start, namelen: name.count, valuelen: value.count, flags: UInt8(flags))
        }
    }

    /// Method, scheme, authority, path.
    private static let pseudoHeaders = 4
    private static let contentLength = "content-length"
    /// Of more names than any service is sent the rest is forgotten.
    private static let namesKept = 64

    private let method = Slot(":method")
    private let scheme = Slot(":scheme", "https")
    private let authority = Slot(":authority")
    private let path = Slot(":path")
    private let length = Slot(Self.contentLength)
    /// What ``length`` says.
    private var lastLength: Int?
    /// They stand where they stand in most requests.
    private var slots: [Slot] = []
    private var views: [nghttp2_nv] = []
    /// Of the request before.
    private var viewsBefore: [nghttp2_nv] = []
    private var request = 0
    /// The request before, if each of its headers stood at the place of its slot: what lies at the same place in the
    /// bytes of the same batch is the same text.
    private var before: (batch: Int, fields: Range<Int>)?

    /// Calls `body` with the request's fields; their values are gone after the call. The library copies those, and
    /// looks at names once more when the request leaves, which may be in a later turn.
    mutating func withFields(
        of exchange: HTTP2Exchange, authority host: String, _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void
    ) {
        let batch = exchange.batch.requests
        let sent = batch.requests[exchange.index]
        let known = before?.batch == exchange.batchNumber ? before?.fields : nil
        before = nil
        request += 1
        swap(&views, &viewsBefore)
        views.removeAll(keepingCapacity: true)
        var isUsual = true
        batch.bytes.withUnsafeBufferPointer { bytes in
            if known == nil {
                _ = method.take(batch.method)
                _ = authority.take(host)
            }
            // Each device its own, and the token in it is no business of a table.
            _ = path.take(UnsafeBufferPointer(rebasing: bytes[sent.path]))
            views.append(method.view(isIndexed: true))
            views.append(scheme.view(isIndexed: true))
            views.append(authority.view(isIndexed: true))
            views.append(path.view(isIndexed: false))
            var hasLength = false
            for (place, field) in batch.fields[sent.fields].enumerated() {
                // A field before it may have taken the slot, and replaced the value that its view of before shows.
                if let known, place < known.count, batch.fields[known.lowerBound + place] == field,
                    slots[place].request != request
                {
                    slots[place].request = request
                    views.append(viewsBefore[Self.pseudoHeaders + place].indexed)
                    if slots[place].isLength { hasLength = true }
                    continue
                }
                let (slot, isNew) = slot(of: UnsafeBufferPointer(rebasing: bytes[field.name]), at: place)
                slot.request = request
                let isSame = slot.take(UnsafeBufferPointer(rebasing: bytes[field.value]))
                views.append(slot.view(isIndexed: isNew || isSame))
                if slot.isLength { hasLength = true }
                isUsual = isUsual && place < Self.namesKept && slots[place] === slot
            }
            // Not needed by the protocol, but expected by some servers of those methods that have a body.
            if !hasLength, !sent.body.isEmpty || batch.method == "POST" || batch.method == "PUT" {
                tellLength(sent.body.count)
            }
        }
        views.withUnsafeBufferPointer(body)
        if slots.count > Self.namesKept { slots.removeLast(slots.count - Self.namesKept) }
        if isUsual, let number = exchange.batchNumber { before = (number, sent.fields) }
    }

    private mutating func tellLength(_ count: Int) {
        if count != lastLength {
            lastLength = count
            _ = length.take(String(count))
        }
        views.append(length.view(isIndexed: false))
    }

    /// Where a header's name and value are to be; made if there is no place yet that this request has not used.
    private mutating func slot(of name: UnsafeBufferPointer<UInt8>, at place: Int) -> (Slot, isNew: Bool) {
        // Where the request before had the same name it was in lower case.
        if place < slots.count, slots[place].request != request, slots[place].name.holds(name) {
            return (slots[place], false)
        }
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if let known = slots.first(where: { $0.request != request && $0.name.holds(name) }) { return (known, false) }
        // A second value of one name is no news about the name.
        let isNew = slots.count < Self.namesKept && !slots.contains { $0.name.holds(name) }
        slots.append(Slot(name, staysForGood: slots.count < Self.namesKept))
        return (slots[slots.count - 1], isNew)
    }
}

extension nghttp2_nv {
    /// The same field, for the peer's table.
    fileprivate var indexed: nghttp2_nv {
        var field = self
        field.flags &= ~UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
        return field
    }
}
