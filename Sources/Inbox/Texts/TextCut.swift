/// Cuts a text that is too long for its place: one rule for previews, bodies and payloads.
///
/// The cut is behind the last word that fits, where a line may break (UAX #14). If too much would be lost, the cut is
/// between two characters as readers count them (grapheme clusters, UAX #29). The ellipsis counts toward the maximum.
/// Direction controls whose partner was cut off are removed too.
package struct TextCut: Sendable, Hashable {
    /// The most characters that are lost to end at a whole word, since longer words are rare in any language. At most
    /// half of the characters that fit are lost.
    private static let mostGivenUp = 24
    /// The number of characters behind a place that decide whether a line may break there: a dictionary's longest
    /// words.
    static let lookahead = 32

    /// In characters as readers count them.
    package let maximum: Int
    /// Appended to a text that was cut. An ellipsis longer than the maximum leaves nothing of the text.
    package let ellipsis: String

    package init(maximum: Int, ellipsis: String = "…") {
        self.maximum = maximum
        self.ellipsis = ellipsis
    }

    package func cut(_ text: String) -> String {
        // A text never has more characters than bytes, and counting bytes costs nothing.
        text.utf8.count <= maximum ? text : Self.cut(text, to: maximum, ellipsis: ellipsis) { _ in 1 }
    }

    /// The text, or as much of it as fits beside the ellipsis.
    ///
    /// - Parameter size: the part of the maximum that a character takes, also for each character of the ellipsis.
    package static func cut(
        _ text: String, to maximum: Int, ellipsis: String, size: (Character) -> Int
    ) -> String {
        let room = maximum - ellipsis.reduce(0) { $0 + size($1) }
        var taken = 0
        var (characters, end) = (0, text.startIndex)
        var index = text.startIndex
        while index < text.endIndex {
            taken += size(text[index])
            guard taken <= maximum else {
                return room < 0 ? "" : kept(of: text, before: end, characters).balancingDirections + ellipsis
            }
            index = text.index(after: index)
            if taken <= room { (characters, end) = (characters + 1, index) }
        }
        return text
    }

    // MARK: The place

    /// - Parameter characters: the number of characters before `end`.
    private static func kept(of text: String, before end: String.Index, _ characters: Int) -> String {
        let most = min(characters / 2, mostGivenUp)
        let whole = text[..<end].trimmingEnd
        guard let line = line(of: text, before: end, most) else { return String(whole) }
        let isNear = text.distance(from: line.endIndex, to: end) <= most
        return String(isNear ? line : whole)
    }

    /// The text before the last place where a line may break; nil if there is no such place.
    private static func line(of text: String, before end: String.Index, _ most: Int) -> Substring? {
        switch plainPlace(in: text, before: end, most) {
        case .behind(let place): return text[..<place]
        case .tooFar: return nil
        case .unknown: break
        }
        return linesEnd(in: text, before: end).map { text[..<$0] }
    }

    /// The end of the last line that fits, by all of Unicode's rules.
    static func linesEnd(in text: String, before end: String.Index) -> String.Index? {
        let behind = text.index(end, offsetBy: lookahead, limitedBy: text.endIndex) ?? text.endIndex
        // A blank belongs to the word before it, so that word is complete.
        let words = text[end..<behind].firstIndex { !$0.isWhitespace } ?? behind
        let offset = text.utf16.distance(from: text.startIndex, to: words)
        let place = LineBreaks.last(in: Array(text[..<behind].utf16), atMost: offset) { place in
            String.Index(String.Index(utf16Offset: place, in: text), within: text) != nil
        }
        let line = place.map { text[..<min(String.Index(utf16Offset: $0, in: text), end)].trimmingEnd } ?? ""
        return line.isEmpty ? nil : line.endIndex
    }

    enum PlainPlace: Equatable {
        /// The end of the last word that fits.
        case behind(String.Index)
        /// The cut would lose too much.
        case tooFar
        /// Only ICU can tell.
        case unknown
    }

    /// The place, found quickly for words of ASCII letters and digits with blanks between them.
    static func plainPlace(in text: String, before end: String.Index, _ most: Int) -> PlainPlace {
        guard end < text.endIndex else { return .unknown }
        // The character behind the blank decides too.
        let next = text[end] == " " ? text.index(after: end) : end
        guard next == text.endIndex || text[next].isPlain else { return .unknown }
        var (place, isBlank) = (end, text[end] == " ")
        for _ in 0...most {
            guard place > text.startIndex else { return .tooFar }
            let before = text.index(before: place)
            if isBlank {
                // A line may not break behind a bracket or a quotation mark, in spite of the blank.
                return text[before].isPlain ? .behind(place) : .unknown
            }
            isBlank = text[before] == " "
            guard isBlank || text[before].isPlain else { return .unknown }
            place = before
        }
        return .tooFar
    }
}

extension Character {
    /// A letter or a digit of ASCII.
    fileprivate var isPlain: Bool { isASCII && (isLetter || isWholeNumber) }
}

extension Substring {
    /// Without blanks at the end.
    fileprivate var trimmingEnd: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
