extension BenchResult {
    /// The result as one self-contained page: no script, no font, no network.
    package var page: String {
        let tables = sections.map(Self.table).joined()
        let plots = plots.compactMap(Self.figure).joined()
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>belfry bench \(HTML.escaped(name))</title>
            <style>\(Self.style)</style></head>
            <body><h1>belfry bench \(HTML.escaped(name))</h1>
            <p>\(HTML.escaped(date)), Belfry \(HTML.escaped(version))</p>
            \(plots)\(tables)</body></html>

            """
    }

    private static let style = """
        :root{color-scheme:light dark;--text:#1b1f24;--dim:#667;--page:#fff;--rule:#dde1e6}
        @media(prefers-color-scheme:dark){:root{--text:#e6e8eb;--dim:#9aa4b0;--page:#14171b;--rule:#30363d}}
        body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);max-width:760px;margin:2rem auto;\
        padding:0 1rem}
        h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}p,figcaption{color:var(--dim)}
        table{border-collapse:collapse;width:100%}td,th{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--rule);\
        text-align:left;vertical-align:top}
        .wide td+td,.wide th+th{text-align:right;font-variant-numeric:tabular-nums}
        figure{margin:1rem 0}svg{width:100%;height:auto}svg text{font-size:11px;fill:var(--dim)}
        .grid{stroke:var(--rule)}.line{fill:none;stroke-width:2;stroke-linejoin:round}
        .c0{stroke:#2f7ed8;color:#2f7ed8}.c1{stroke:#e0733c;color:#e0733c}.c2{stroke:#3fa65a;color:#3fa65a}
        .c3{stroke:#a05cc9;color:#a05cc9}.c4{stroke:#c9a227;color:#c9a227}.c5{stroke:#d1495b;color:#d1495b}
        .c6{stroke:#1d9a9a;color:#1d9a9a}.c7{stroke:#8a6d4b;color:#8a6d4b}.c8{stroke:#7f8894;color:#7f8894}
        """

    private static func table(_ section: ReportSection) -> String {
        let isWide = section.rows.contains { $0.count > 2 }
        let rows = section.rows.enumerated().map { index, row in
            let cell = isWide && index == 0 ? "th" : "td"
            return "<tr>" + row.map { "<\(cell)>\(HTML.escaped($0))</\(cell)>" }.joined() + "</tr>"
        }
        return
            "<h2>\(HTML.escaped(section.title))</h2><table\(isWide ? #" class="wide""# : "")>\(rows.joined())</table>\n"
    }

    private static func figure(_ plot: Plot) -> String? {
        guard let svg = plot.svg else { return nil }
        let names = plot.lines.enumerated().map { index, line in
            #"<span class="c\#(index % Plot.colours)">■</span> \#(HTML.escaped(line.name))"#
        }
        let caption = plot.lines.count > 1 ? "<figcaption>\(names.joined(separator: " "))</figcaption>" : ""
        return "<h2>\(HTML.escaped(plot.title)), \(HTML.escaped(plot.unit))</h2><figure>\(svg)\(caption)</figure>\n"
    }

    private var plots: [Plot] {
        func overTime(_ title: String, _ unit: String, _ lines: [(String, (Second) -> Double?)]) -> Plot {
            let lines = lines.map { name, value in
                Plot.Line(name: name, points: timeline.compactMap { second in value(second).map { (second.time, $0) } })
            }
            return Plot(title: title, unit: unit, axis: .seconds, lines: lines)
        }
        var plots = [Plot(title: "Times by percentile", unit: "milliseconds", axis: .percentiles, lines: curves)]
        if !streams.isEmpty {
            plots.append(overTime("Accepted publications", "a second", [("publications", \.acceptedPerSecond)]))
            if timeline.contains(where: { $0.framesPerSecond > 0 }) {
                plots.append(overTime("Delivered frames", "a second", [("frames", \.framesPerSecond)]))
            }
        }
        if sessions != nil {
            plots.append(overTime("Ready sessions", "count", [("sessions", { Double($0.sessions) })]))
        }
        if server != nil {
            plots.append(overTime("Server CPU", "cores", [("cores", \.serverCores)]))
            plots.append(
                overTime("Server memory", "MiB", [("memory", { $0.serverMemory.map { Double($0) / 1_048_576 } })]))
        }
        return plots
    }

    private var curves: [Plot.Line] {
        var lines: [Plot.Line] = []
        func add(_ name: String, _ times: Times?) {
            guard let times else { return }
            lines.append(Plot.Line(name: name, points: times.curve.map { ($0[1], $0[0]) }))
        }
        if let sessions {
            add("session is ready", sessions.opening)
            add("session is back", sessions.returns)
        }
        for stream in streams {
            add("\(stream.name): answer", stream.answer)
            add("\(stream.name): frame", stream.delivery)
            add("\(stream.name): ack", stream.ack)
        }
        return lines
    }

    /// Without the ".0" of a whole number.
    static func plain(_ value: Double) -> String { value == value.rounded() ? String(Int(value)) : String(value) }
}
