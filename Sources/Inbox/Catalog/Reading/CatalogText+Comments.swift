extension CatalogText {
    /// Finds texts that YAML cuts: without quotes, everything behind ` #` is a comment.
    func warnOfCutTexts(_ issues: CatalogIssues) {
        for (place, line) in lines.enumerated() {
            let content = line.drop { $0 == " " }
            // `Room #{{n}}`: a real comment hardly begins with a placeholder.
            guard let comment = content.firstRange(of: " #{{"), content.first != "#",
                !content[..<comment.lowerBound].contains(where: { "\"'".contains($0) })
            else { continue }
            issues.warn(
                line: place + 1, column: line.distance(from: line.startIndex, to: comment.lowerBound) + 2,
                key: path(atLine: place + 1),
                "YAML takes this for a comment, and the text ends before it; expected quotes around the whole text")
        }
    }
}
