import Transport
import WireProtocol

/// The reach of a call that changes many notifications: `upTo`, a `seq`, in the query or in the body, where a call may
/// have one.
///
/// A bound that cannot be read is refused, as the call would otherwise change more than was meant.
enum ChangeBound {
    /// Nil for a call without a bound: it changes everything.
    static func read(_ request: HTTPRequest) throws(Problem) -> Int64? {
        let (query, body) = (try bound(request.head.query), try bound(request.body))
        guard let body else { return query }
        // Proxies may drop the body of a DELETE (RFC 9110 §9.3.5), and without the bound everything would go.
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
        // An empty value is a bound that a client failed to fill in.
        guard values.count == 1, let seq = Int64(text), seq >= 0 else {
            throw .parameter("upTo", "expected a seq, once: a whole number, not negative")
        }
        return seq
    }
}
