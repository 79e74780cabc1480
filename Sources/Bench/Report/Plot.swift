/// A line plot as SVG, in the colours of the page around it.
struct Plot {
    struct Line {
        var name: String
        var points: [(x: Double, y: Double)]
    }

    /// The unit of the horizontal axis.
    enum Axis {
        case seconds
        /// Percentiles by their number of nines, so that the slowest get as much room as all others.
        case percentiles
    }

    private static let width = 720.0
    private static let height = 260.0
    private static let margin = (left: 64.0, right: 16.0, top: 12.0, bottom: 28.0)
    private static let steps = 4
    /// How many colours the page has for lines.
    static let colours = 9

    let title: String
    let unit: String
    let axis: Axis
    let lines: [Line]

    /// Nil if there is nothing to draw.
    var svg: String? {
        let points = lines.flatMap(\.points)
        guard points.count > 1, let rightmost = points.map({ position($0.x) }).max(), rightmost > 0 else { return nil }
        let highest = Self.roundedUp(points.map(\.y).max() ?? 0)
        let (left, bottom) = (Self.margin.left, Self.height - Self.margin.bottom)
        let right = Self.width - Self.margin.right
        func x(_ value: Double) -> Double { left + position(value) / rightmost * (right - left) }
        func y(_ value: Double) -> Double { bottom - value / highest * (bottom - Self.margin.top) }
        var parts = [
            #"<svg viewBox="0 0 \#(Int(Self.width)) \#(Int(Self.height))" role="img" aria-label="\#(HTML.escaped(title))">"#
        ]
        for step in 0...Self.steps {
            let value = highest * Double(step) / Double(Self.steps)
            parts.append(#"<line class="grid" x1="\#(left)" x2="\#(right)" y1="\#(y(value))" y2="\#(y(value))"/>"#)
            parts.append(Self.label(BenchResult.number(value), x: left - 6, y: y(value) + 4, anchor: "end"))
        }
        for tick in ticks(to: points.map(\.x).max() ?? 0) {
            // A centred label at the right edge would be cut in half.
            let anchor = x(tick.value) > right - Self.margin.right ? "end" : "middle"
            parts.append(Self.label(tick.text, x: x(tick.value), y: Self.height - 8, anchor: anchor))
        }
        for (index, line) in lines.enumerated() where !line.points.isEmpty {
            let path = line.points.map { "\(Self.short(x($0.x))),\(Self.short(y($0.y)))" }.joined(separator: " ")
            parts.append(#"<polyline class="line c\#(index % Self.colours)" points="\#(path)"/>"#)
        }
        return parts.joined() + "</svg>"
    }

    /// The position of a value on the horizontal axis.
    private func position(_ value: Double) -> Double {
        switch axis {
        case .seconds: value
        case .percentiles: Self.nines(min(value, 99.999))
        }
    }

    /// 1 for 90 %, 2 for 99 %, 3 for 99.9 %.
    static func nines(_ percentile: Double) -> Double {
        var (rest, nines) = (max(1 - percentile / 100, 1e-5), 0.0)
        while rest <= 0.1 {
            rest *= 10
            nines += 1
        }
        // Linear within each nine: close enough to the logarithm for the eye, and without a library.
        return nines + (1 - rest) / 0.9
    }

    private func ticks(to last: Double) -> [(value: Double, text: String)] {
        switch axis {
        case .seconds:
            (0...Self.steps).map { step in
                let value = last * Double(step) / Double(Self.steps)
                return (value, BenchResult.number(value) + " s")
            }
        case .percentiles:
            [0, 50, 90, 99, 99.9, 99.99].filter { $0 <= last }.map { ($0, "\(BenchResult.plain($0)) %") }
        }
    }

    /// The next higher number of 1, 2 or 5 times a power of ten.
    static func roundedUp(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        var scale = 1.0
        while scale > value { scale /= 10 }
        while scale * 10 <= value { scale *= 10 }
        return [1, 2, 5, 10].map { $0 * scale }.first { $0 >= value } ?? value
    }

    private static func label(_ text: String, x: Double, y: Double, anchor: String) -> String {
        #"<text x="\#(short(x))" y="\#(short(y))" text-anchor="\#(anchor)">\#(HTML.escaped(text))</text>"#
    }

    /// A tenth of a pixel is enough.
    private static func short(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
