import Inbox

/// A table for people: columns as wide as their widest cell.
struct TextTable {
    let header: [String]
    let rows: [[String]]

    var lines: [String] {
        let all = [header] + rows.map { $0.map(\.escapingControlCharacters) }
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let isLast = column == header.count - 1
                return isLast ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }.joined(separator: "  ")
        }
    }
}
