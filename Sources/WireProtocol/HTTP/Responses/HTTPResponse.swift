import JSON

/// A response with its whole body; also writes the pieces of a response whose body comes later.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    /// Without `Content-Length` and `Transfer-Encoding`, which encoding adds.
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes to send (RFC 9112 §4).
    ///
    /// - Parameters:
    ///   - omitsBody: true for an answer to HEAD, which still tells the length. Statuses without a body (RFC 9110
    ///     §6.4.1)
    ///     lose it in any case.
    ///   - date: ``HTTPHeaders/Field/date(_:)``; nil for none.
    package func encoded(isKeepAlive: Bool, omitsBody: Bool = false, date: HTTPHeaders.Field? = nil) -> [UInt8] {
        let hasBody = Self.hasBody(status: status)
        let sentBody = hasBody && !omitsBody ? body.count : 0
        var bytes = Self.head(
            status: status, headers: headers, framing: hasBody ? .length(body.count) : nil, date: date,
            isKeepAlive: isKeepAlive, roomForBody: sentBody)
        if sentBody > 0 { bytes.append(contentsOf: body) }
        return bytes
    }

    /// Tells a waiting client to send its body (RFC 9110 §15.2.1).
    package static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    // MARK: Bodies of unknown length, for HTTP/1.1 clients

    package static func chunkedHead(status: Int, headers: HTTPHeaders, isKeepAlive: Bool = true) -> [UInt8] {
        head(status: status, headers: headers, framing: .chunked, date: nil, isKeepAlive: isKeepAlive, roomForBody: 0)
    }

    /// The head of a body that ends with the connection (RFC 9112, section 6.3).
    package static func endlessHead(status: Int, headers: HTTPHeaders) -> [UInt8] {
        head(status: status, headers: headers, framing: nil, date: nil, isKeepAlive: false, roomForBody: 0)
    }

    /// Empty for no bytes, because an empty chunk would end the body.
    package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var chunk: [UInt8] = []
        chunk.reserveCapacity(chunkFrameBytes + bytes.count)
        chunk.append(addingCapacity: chunkFrameBytes) { room in
            room.append(hexadecimal: bytes.count)
            room.append(constant: "\r\n")
        }
        chunk.append(contentsOf: bytes)
        chunk.append(constant: "\r\n")
        return chunk
    }

    /// Room for a size of 64 bits and two line ends.
    private static let chunkFrameBytes = 20

    package static let lastChunk = Array("0\r\n\r\n".utf8)

    // MARK: Head

    static func hasBody(status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    private static func head(
        status: Int, headers: HTTPHeaders, framing: HTTPBodyFraming?, date: HTTPHeaders.Field?, isKeepAlive: Bool,
        roomForBody: Int
    ) -> [UInt8] {
        let reason = reasonPhrase(of: status)
        let options = headers.elements(of: "Connection")
        let texts =
            headers.fields.reduce(reason.utf8.count + (date?.byteCount ?? 0)) { $0 + $1.byteCount }
            + options.reduce(0) { $0 + $1.utf8.count + 2 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ownHeadBytes + texts + roomForBody)
        // Written at once: each separate append would check the room and the buffer's uniqueness again.
        bytes.append(addingCapacity: ownHeadBytes + texts) { room in
            room.append(constant: "HTTP/1.1 ")
            room.append(decimal: Int64(status))
            room.append(.space)
            room.append(text: reason)
            room.append(constant: "\r\n")
            for field in headers.fields where !isOurs(field.name) { field.write(to: &room) }
            date?.write(to: &room)
            if hasBody(status: status) {
                // A browser must not take a text of somebody else for a page or a script, whatever it looks like.
                room.append(constant: "X-Content-Type-Options: nosniff\r\n")
                // Some networks in front of servers keep whatever does not forbid it, and show it to others.
                if headers["Cache-Control"] == nil { room.append(constant: "Cache-Control: private, no-cache\r\n") }
            }
            switch framing {
            case .length(let length):
                room.append(constant: "Content-Length: ")
                room.append(decimal: Int64(length))
                room.append(constant: "\r\n")
            case .chunked: room.append(constant: "Transfer-Encoding: chunked\r\n")
            case nil: break
            }
            // One field for all options: a 426 names Upgrade in it (RFC 9110 §7.8).
            room.append(constant: "Connection: ")
            for option in options {
                room.append(text: option)
                room.append(constant: ", ")
            }
            room.append(constant: isKeepAlive ? "keep-alive\r\n\r\n" : "close\r\n\r\n")
        }
        return bytes
    }

    /// Room for the constant parts of a head: the version, two numbers of 64 bits, framing, how to take the type, who may
    /// keep it, and `Connection`.
    private static let ownHeadBytes = 220

    /// Whether encoding writes this field itself.
    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 10: name.equalsIgnoringCase("Connection")
        case 14: name.equalsIgnoringCase("Content-Length")
        case 17: name.equalsIgnoringCase("Transfer-Encoding")
        default: false
        }
    }
}
