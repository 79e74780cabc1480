import JSON
import Testing

struct JSONPieceTests {
    /// An object of three texts, in an array the last two, and a number.
    private func write(to json: inout JSONWriter, _ value: (inout JSONWriter) -> Void) {
        json.object { json in
            json.key("a")
            value(&json)
            json.key("b")
            json.array { json in
                value(&json)
                value(&json)
            }
            json.member("c", 1)
        }
    }

    private func pieces() -> [JSONPiece] {
        var json = JSONWriter()
        var places: [Int] = []
        write(to: &json) { places.append($0.gap()) }
        let (starts, ends) = ([0] + places, places + [json.bytes.count])
        return zip(starts, ends).map { JSONPiece(json.bytes[$0..<$1]) }
    }

    @Test(arguments: [
        "", "abc", "abcdefg", "abcdefgh", "abcdefghi", "a text of many letters, é and so on", "\"", "\\", "\n",
        "abcdefgh\"", "a \"quote\", a \\, a\nline and a \u{1}",
    ])
    func `texts between pieces read like texts of a whole`(_ text: String) {
        var whole = JSONWriter()
        write(to: &whole) { $0.value(text) }
        let pieces = pieces()
        #expect(pieces.count == 4)
        var json = JSONWriter()
        json.piece(pieces[0], text)
        json.piece(pieces[1])
        json.value(text)
        json.piece(pieces[2], text)
        json.lastPiece(pieces[3])
        #expect(String(decoding: json.bytes, as: UTF8.self) == String(decoding: whole.bytes, as: UTF8.self))
    }

    @Test(arguments: ["", "abcdefgh", "a \"quote\""])
    func `a comma separates an empty last piece from the next member`(_ text: String) {
        var (whole, layout, json) = (JSONWriter(), JSONWriter(), JSONWriter())
        layout.key("a")
        let place = layout.gap()
        json.piece(JSONPiece(layout.bytes[..<place]), text)
        json.lastPiece(JSONPiece(layout.bytes[place...]))
        json.member("b", 2)
        whole.key("a")
        whole.value(text)
        whole.member("b", 2)
        #expect(json.bytes == whole.bytes)
    }

    @Test(arguments: ["", "abc", "fifteen bytes..", "sixteen bytes...", "a text of many letters, é and so on"])
    func `a text's octets are its UTF-8, wherever it lies`(_ text: String) {
        #expect(text.withOctets { Array($0) } == Array(text.utf8))
        let joined = text + text
        #expect(joined.withOctets { Array($0) } == Array(text.utf8) + Array(text.utf8))
        let part = String(("<" + text + ">").dropFirst().dropLast())
        #expect(part.withOctets { Array($0) } == Array(text.utf8))
        #expect(text.withOctets { $0.count } == text.utf8.count)
    }
}
