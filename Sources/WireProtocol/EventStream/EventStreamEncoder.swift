import JSON

/// Events of an event stream, as browsers' `EventSource` reads them (HTML Standard, section 9.2.6).
package enum EventStreamEncoder {
    /// The most bytes that an event has beside its text.
    package static let framingBytes = 8

    /// An event without a name, which an `EventSource` hands to `onmessage`.
    ///
    /// - Parameter text: JSON. Line ends between its tokens become spaces, since a line's end would end the field.
    package static func event(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var event: [UInt8] = []
        event.reserveCapacity(text.count + framingBytes)
        event.append(constant: "data: ")
        let start = event.count
        event.append(contentsOf: text)
        for place in start..<event.count where event[place] == .lineFeed || event[place] == .carriageReturn {
            event[place] = .space
        }
        event.append(constant: "\n\n")
        return event
    }

    package static func event(_ text: [UInt8]) -> [UInt8] { text.withUnsafeBytes { event($0) } }

    /// Says where the client is. It sends this back as `Last-Event-ID` when it connects again.
    package static func place(_ id: String) -> [UInt8] { Array("id: \(id)\n\n".utf8) }

    /// A comment, which clients skip: it shows proxies that the stream lives.
    package static let sign: [UInt8] = Array(":\n\n".utf8)

    /// The last event, named `close`: the code and the reason of a WebSocket's close frame.
    package static func close(_ code: UInt16, reason: String) -> [UInt8] {
        var json = JSONWriter(capacity: 64)
        json.object { json in
            json.member("code", Int(code))
            json.member("reason", reason)
        }
        var event: [UInt8] = []
        event.append(constant: "event: close\n")
        return event + self.event(json.bytes)
    }
}
