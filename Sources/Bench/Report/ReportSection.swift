/// A heading with rows, for terminals and pages.
package struct ReportSection: Sendable {
    package let title: String
    /// Cells; rows of more than two cells form a table, whose first row is the head.
    package let rows: [[String]]

    init(_ title: String, _ rows: [[String]]) {
        (self.title, self.rows) = (title, rows)
    }

    /// The section as aligned lines.
    package var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return [title]
            + rows.map { row in
                "  "
                    + row.indices.map { column in
                        let padding = String(repeating: " ", count: widths[column] - row[column].count)
                        if columns > 2, column > 0 { return padding + row[column] }
                        return column == row.count - 1 ? row[column] : row[column] + padding
                    }.joined(separator: "  ")
            }
    }
}
