/// Cuts a text that is too long, behind its last word that fits.
struct TextLimit: Sendable, Hashable {
    /// In characters as readers count them (grapheme clusters), with the ellipsis; more than that has.
    let maximum: Int
    var ellipsis = "…"

    func cut(_ text: String) -> String {
        // Bytes are never fewer than characters, and counting them costs nothing.
        text.utf8.count <= maximum ? text : cut(Array(text.prefix(maximum + 1)))
    }

    /// - Parameter characters: the text's first; one more than the maximum is enough to see that it is longer.
    ///
    /// A word that is too long by itself is cut within.
    func cut(_ characters: [Character]) -> String {
        guard characters.count > maximum else { return String(characters) }
        let room = maximum - ellipsis.count
        var end = room
        // With a blank right behind it the last word is whole.
        if !characters[room].isWhitespace, let blank = characters[..<room].lastIndex(where: \.isWhitespace) {
            end = blank
        }
        while end > 1, characters[end - 1].isWhitespace { end -= 1 }
        return String(characters[..<end]) + ellipsis
    }
}
