/// A request's target (RFC 9112 §3.2), in origin form, absolute form or, for OPTIONS, as `*`.
struct HTTPTarget: Sendable, Hashable {
    /// The authority of an absolute form, which counts before `Host` (RFC 9112 §3.2.2).
    let authority: String?
    let path: String
    let query: HTTPQuery
    /// Nil for a path without escapes: such paths are mostly looked up as a whole.
    private let decodedSegments: [String]?

    var segments: [String] {
        decodedSegments ?? Self.split(path.utf8).map { String(Substring($0)) }
    }

    init(parsing target: String, method: String) throws(HTTPViolation) {
        if Self.isPlainPath(target) {
            (authority, path, decodedSegments, query) = (nil, target, nil, HTTPQuery())
            return
        }
        let bytes = Array(target.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ $0.isVisibleASCII && $0 != UInt8(ascii: "#") }) else {
            throw .badRequest("the target has characters that a target cannot have")
        }
        if bytes == [UInt8(ascii: "*")], method == "OPTIONS" {
            (authority, path, decodedSegments, query) = (nil, "*", [], HTTPQuery())
            return
        }
        let origin: ArraySlice<UInt8>
        (authority, origin) = try Self.splitAuthority(from: bytes)
        let mark = origin.firstIndex(of: UInt8(ascii: "?")) ?? origin.endIndex
        let encodedSegments = Self.split(origin[..<mark])
        let segments = encodedSegments.compactMap { PercentEncoding.decode($0) }
        // If each segment is valid text, the path is valid text.
        guard segments.count == encodedSegments.count, let query = HTTPQuery(parsing: origin[mark...].dropFirst())
        else { throw .badRequest("the target has a broken escape or is not UTF-8") }
        path = "/" + segments.joined(separator: "/")
        decodedSegments = segments
        self.query = query
    }

    /// Whether the target is a path with nothing to decode, the usual case.
    private static func isPlainPath(_ target: String) -> Bool {
        var target = target
        return target.withUTF8 { bytes in
            bytes.first == UInt8(ascii: "/")
                && bytes.allSatisfy {
                    $0.isVisibleASCII && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
                }
        }
    }

    private static func split<Path: Collection<UInt8>>(_ path: Path) -> [Path.SubSequence] {
        path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    private static func splitAuthority(
        from target: [UInt8]
    ) throws(HTTPViolation) -> (authority: String?, origin: ArraySlice<UInt8>) {
        if target.first == UInt8(ascii: "/") { return (nil, target[...]) }
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { target.map(\.lowercased).starts(with: $0.utf8) }) else {
            throw .badRequest("the target must be a path or an http URL")
        }
        let rest = target[scheme.utf8.count...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let authority = rest[..<end]
        let authorityText = String(decoding: authority, as: UTF8.self)
        guard let parsed = HTTPAuthority(authorityText), !parsed.host.isEmpty else {
            throw .badRequest("the target's host is malformed")
        }
        let origin = rest[end...]
        let hasPath = origin.first == UInt8(ascii: "/")
        return (authorityText, hasPath ? origin : [UInt8(ascii: "/")] + origin)
    }
}
