import CNghttp2

/// Turns requests into header fields, for one connection.
///
/// The peer's table of repeated fields is small, and new entries push out old ones. A field therefore enters it only if
/// its name is new, or its value equals that of the request before (RFC 7541 §6.2.1). A collapse id or a path would
/// only push out the topic. The library never enters `authorization`. Apple asks for the same.
///
/// Texts that equal those of the request before are not touched: copying all texts took longer than all work of the
/// library on them.
struct HTTP2RequestFields {
    /// A name, and its latest value.
    private final class Slot {
        let name: HTTP2StableText
        let value: HTTP2StableText
        let isLength: Bool
        /// Whether the slot lives as long as the connection, so that the library need not copy the name and lower its
        /// case.
        let staysForGood: Bool
        /// The request that last used the slot: a request may have a name twice, and each value needs a slot.
        var request = 0

        /// - Parameter name: in lower case.
        init(_ name: String, _ value: String = "", staysForGood: Bool = true) {
            self.name = HTTP2StableText(name)
            self.value = HTTP2StableText(value)
            isLength = name == HTTP2RequestFields.contentLength
            self.staysForGood = staysForGood
        }

        /// Takes a value; returns whether it equals that of the request before.
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
    /// More names than any service gets; slots of further names are dropped.
    private static let namesKept = 64

    private let method = Slot(":method")
    private let scheme = Slot(":scheme", "https")
    private let authority = Slot(":authority")
    private let path = Slot(":path")
    private let length = Slot(Self.contentLength)
    /// The value of ``length``.
    private var lastLength: Int?
    /// Each at the index of its field in most requests.
    private var slots: [Slot] = []
    private var views: [nghttp2_nv] = []
    /// The fields of the request before.
    private var viewsBefore: [nghttp2_nv] = []
    private var request = 0
    /// The request before, if each of its headers used the slot at its own index. Equal ranges of the same batch then
    /// hold equal text.
    private var before: (batch: Int, fields: Range<Int>)?

    /// Calls `body` with the request's fields; their values are gone after the call. The library copies the values, and
    /// reads the names again when the request leaves, perhaps in a later turn.
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
            // Not for the table: each device has its own path, which contains its token.
            _ = path.take(UnsafeBufferPointer(rebasing: bytes[sent.path]))
            views.append(method.view(isIndexed: true))
            views.append(scheme.view(isIndexed: true))
            views.append(authority.view(isIndexed: true))
            views.append(path.view(isIndexed: false))
            var hasLength = false
            for (place, field) in batch.fields[sent.fields].enumerated() {
                // An earlier field may have used the slot, and replaced the value that the old view shows.
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
            // The protocol does not need the length, but some servers expect it for methods with a body.
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

    /// The slot for a header; a new one if no known slot of the name is free in this request.
    private mutating func slot(of name: UnsafeBufferPointer<UInt8>, at place: Int) -> (Slot, isNew: Bool) {
        // A name that equals the one of the request before is known to be in lower case.
        if place < slots.count, slots[place].request != request, slots[place].name.holds(name) {
            return (slots[place], false)
        }
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if let known = slots.first(where: { $0.request != request && $0.name.holds(name) }) { return (known, false) }
        // A second value of a known name does not make the name new.
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
