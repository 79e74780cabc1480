/// Draws a share of all traces. The same trace gets the same answer at any time, from any process.
///
/// The comparison is OpenTelemetry's (specification "TraceState: Probability Sampling"): of a trace's 56 random bits.
package struct TraceSampler: Sendable, Hashable {
    /// Traces with less are not drawn.
    private let threshold: UInt64

    /// - Parameter share: 0 for none, 1 for all.
    package init(share: Double) {
        threshold = UInt64(((1 - min(max(share, 0), 1)) * 0x1p56).rounded())
    }

    package func admits(_ trace: TraceID) -> Bool { trace.chance >= threshold }

    /// Whether there is nothing to draw.
    package var isEmpty: Bool { threshold == 1 << 56 }
}
