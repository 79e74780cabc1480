/// What other spans need to know of a span: its place, and whether it is recorded.
package struct SpanContext: Sendable, Hashable {
    package let trace: TraceID
    package let span: SpanID
    package let isSampled: Bool
    /// The vendors' list that goes along with a trace, as `tracestate` has it; nil without one.
    package var state: String?

    package init(trace: TraceID, span: SpanID, isSampled: Bool, state: String? = nil) {
        (self.trace, self.span, self.isSampled, self.state) = (trace, span, isSampled, state)
    }

    /// Reads the headers of a request (W3C Trace Context Level 2, https://www.w3.org/TR/trace-context-2/ §3.2 and §3.3).
    /// A version beyond 00 is read as far as 00 goes (§4.3). A list that cannot be read is left out, and the parent
    /// stays.
    ///
    /// - Parameters:
    ///   - parents: each `traceparent` of the request; nil for the result unless there is one.
    ///   - states: each `tracestate` of the request, in order.
    /// - Returns: nil for a parent that is not valid: then the receiver begins a trace of its own.
    package init?(parents: [String], states: [String]) {
        guard parents.count == 1, let parent = parents.first.flatMap(Self.read(parent:)) else { return nil }
        self = parent
        state = TraceState.read(states)
    }

    /// The value of `traceparent`, and of `traceresponse`.
    package var header: String { "00-\(trace.text)-\(span.text)-\(isSampled ? "01" : "00")" }

    private static func read(parent: String) -> SpanContext? {
        let bytes = Array(parent.utf8)
        // 00-<32 digits>-<16 digits>-<2 digits>
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = number(bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || version > 0 && bytes[55] == UInt8(ascii: "-"),
            let high = number(bytes[3..<19]), let low = number(bytes[19..<35]), let span = number(bytes[36..<52]),
            let flags = number(bytes[53..<55]), let trace = TraceID(high: high, low: low), let span = SpanID(span)
        else { return nil }
        return SpanContext(trace: trace, span: span, isSampled: flags & 1 == 1)
    }

    /// Of digits in lower case only; nil for others.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
