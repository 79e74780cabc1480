/// Finds the likely meaning of a misspelt name.
package enum Spelling {
    /// Longer words are no typing mistakes, and the cost of a comparison is the square of the length.
    private static let maximumLength = 60

    /// The candidate nearest to `word`; nil if none is near. Letter case does not count as a difference.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        guard !word.isEmpty, word.utf8.count <= maximumLength else { return nil }
        let letters = Array(word.lowercased().utf8)
        let limit = max(1, letters.count / 3)
        let rated = candidates.compactMap { candidate -> (distance: Int, candidate: String)? in
            guard candidate.utf8.count <= maximumLength else { return nil }
            let distance = distance(letters, Array(candidate.lowercased().utf8))
            return distance <= limit ? (distance, candidate) : nil
        }
        // Equal distances are ordered by name, because dictionaries list their keys in any order.
        return rated.min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?.candidate
    }

    /// The end of a message: `; did you mean "occurredAt"?`, or a list of the expected words.
    package static func hint(for word: String, among candidates: [String]) -> String {
        if let nearest = nearest(to: word, among: candidates) { return "; did you mean \"\(nearest)\"?" }
        guard !candidates.isEmpty else { return "" }
        return "; expected \(list(candidates))"
    }

    /// `a`, `a or b`, `a, b or c`.
    package static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The number of letters to insert, remove, replace or swap with a neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
