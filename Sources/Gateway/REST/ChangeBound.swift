import Transport
import WireProtocol

/// How far a call reaches that changes much: `upTo`, a `seq`, in the query, or in the body of a call that may have one.
///
/// What tries to say how far and does not is refused, as it would else change more than was meant.
enum ChangeBound {
    /// Nil for a call that names none: it means everything.
    static func read(_ request: HTTPRequest) throws(Problem) -> Int64? {
        let (query, body) = (try bound(request.head.query), try bound(request.body))
        guard let body else { return query }
        // Nobody has to pass on the body of a DELETE (RFC 9110 §9.3.5), and without it everything would go.
        guard request.head.method != "DELETE" || query != nil else {
            throw .member("invalid_value", "upTo", "expected in the query: ?upTo=\(body)")
        }
        guard query == nil || query == body else {
            throw .member("invalid_value", "upTo", "expected the same in the query and in the body")
        }
        return body
    }

    private static func bound(_ body: [UInt8]) throws(Problem) -> Int64? {
        body.isEmpty ? nil : try KnownMembers(body, known: ["upTo"]).seq("upTo")
    }

    private static func bound(_ query: HTTPQuery) throws(Problem) -> Int64? {
        let values = query.values("upTo")
        guard let text = values.first else { return nil }
        // An empty one is a bound that somebody failed to fill in.
        guard values.count == 1, let seq = Int64(text), seq >= 0 else {
            throw .parameter("upTo", "expected a seq, once: a whole number, not negative")
        }
        return seq
    }
}
