import JSON
import Testing

struct JSONFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let pointer: String
        let reason: String
        var testDescription: String { text }

        init(_ text: String, _ line: Int, _ column: Int, _ pointer: String, _ reason: String) {
            (self.text, self.line, self.column, self.pointer, self.reason) = (text, line, column, pointer, reason)
        }
    }

    @Test(arguments: [
        Case("", 1, 1, "", "the text is empty"),
        Case("\u{FEFF}", 1, 1, "", "the text is empty"),
        Case("\u{FEFF}[,]", 1, 2, "/0", "expected a value"),
        Case("{\n  \"a\": 1,\n  \"b\": tru\n}", 3, 8, "/b", "expected a value"),
        Case(#"{"a":1 "b":2}"#, 1, 8, "", "expected , or }"),
        Case(#"[1,2,]"#, 1, 6, "/2", "expected a value"),
        Case(#"[1 2]"#, 1, 4, "/0", "expected , or ]"),
        Case(#"{"a" 1}"#, 1, 6, "/a", "expected : behind a member's name"),
        Case(#"{a:1}"#, 1, 2, "", "expected a member's name in quotes"),
        Case(#"{"a":1,}"#, 1, 8, "", "expected a member's name in quotes"),
        Case(#"{"a":1}}"#, 1, 8, "", "expected nothing behind the document"),
        Case(#"{"a":1"#, 1, 7, "", "the text ends within an object"),
        Case(#"{"a":["#, 1, 7, "/a/0", "the text ends where a value is expected"),
        Case(#"["ab"#, 1, 5, "/0", "the text ends within a string"),
        Case(#"[0, 01]"#, 1, 5, "/1", "expected a JSON number"),
        Case(
            #"[{"type":"a"},{"data":{"text":"cut \ud83d"}}]"#, 1, 36, "/1/data/text",
            "half of a surrogate pair: a character was cut in two"),
        Case(#"{"a":"\ud83dx"}"#, 1, 7, "/a", "half of a surrogate pair: a character was cut in two"),
        Case(#"{"a":"\ud83d\n"}"#, 1, 7, "/a", "half of a surrogate pair: a character was cut in two"),
        Case(#"{"a":"\ud83d\u0041"}"#, 1, 7, "/a", "half of a surrogate pair: a character was cut in two"),
        Case(#"{"a":"\udc4d"}"#, 1, 7, "/a", "half of a surrogate pair: a character was cut in two"),
        Case(#"["\x"]"#, 1, 3, "/0", "an escape that JSON does not have"),
        Case(#"["\u12g4"]"#, 1, 3, "/0", #"expected four hexadecimal digits behind \u"#),
        Case("[\"a\u{1}\"]", 1, 4, "/0", "a control character in a string must be escaped"),
        Case("[\"é👍\", 'x']", 1, 8, "/1", "expected a value"),
        Case(#"{"a/b~c":{"d":!}}"#, 1, 15, "/a~1b~0c/d", "expected a value"),
        Case("[\r\n1,\r\nx]", 3, 1, "/1", "expected a value"),
        Case("nul", 1, 1, "", "expected a value"), Case("nulll", 1, 1, "", "expected a value"),
    ])
    func `a text that is no JSON is told with the place`(_ expected: Case) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: expected.text) }
        #expect(error.reason == expected.reason)
        #expect(error.place?.line == expected.line && error.place?.column == expected.column)
        #expect(error.place?.pointer == expected.pointer)
        #expect(
            error.description
                == "invalid JSON at line \(expected.line), column \(expected.column): \(expected.reason)")
    }

    @Test(
        arguments: [
            ([0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D], 3), ([0x5B, 0x22, 0x61, 0xF0, 0x9F, 0x91, 0x22, 0x5D], 4),
            ([0x22, 0xED, 0xA0, 0xBD, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 2), ([0x22, 0xFF, 0x22], 2),
        ] as [([UInt8], Int)])
    func `octets that are no UTF-8 are told with the place`(_ bytes: [UInt8], column: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
        #expect(error.reason == "a string is not valid UTF-8")
        #expect(error.place?.column == column)
    }

    @Test func `the depth that is too much is told with the place`() throws {
        for depth in [62, 63] {
            #expect(throws: Never.self) {
                try JSONValue(parsing: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
            }
        }
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: String(repeating: "[", count: 70) + String(repeating: "]", count: 70))
        }
        #expect(error.place?.column == 64)
        #expect(error.reason == "nested deeper than 63 levels")
    }

    /// The place of every refusal is found, and no accepted document has a fault.
    @Test func `a place is found for every way to cut a document or to change a sign of it`() throws {
        let document = Array(#"{"a":[1,-2.5e+3,true,null,"x\u00e9\n"],"b":{"c":"é👍","d":false}}"#.utf8)
        for count in 0..<document.count {
            let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(document[..<count])) }
            #expect(error.place != nil)
        }
        for index in document.indices {
            for byte: UInt8 in [0, 0x20, 0x22, 0x2C, 0x3A, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] {
                var changed = document
                changed[index] = byte
                do {
                    _ = try JSONValue(parsing: changed)
                } catch {
                    #expect(error.place != nil, "byte \(byte) at \(index)")
                }
            }
        }
    }

    @Test(arguments: ["\u{FEFF}7", "\u{FEFF}\u{FEFF}7", " \u{FEFF}7"])
    func `a byte order mark is passed over at the beginning, and is none elsewhere`(_ text: String) {
        let value = try? JSONValue(parsing: text)
        #expect(value == (text.unicodeScalars.count == 2 ? 7 : nil))
    }

    @Test(
        arguments: [
            (#"{"a":{"b":1,"b":2}}"#, ["a", "b"]), (#"[0,{"x":[{"y":1,"y":1}]}]"#, ["1", "x", "0", "y"]),
            (#"{"a":1,"a":2}"#, ["a"]), (#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#, nil),
        ] as [(String, [String]?)])
    func `a member that stands twice is found at whatever depth`(_ text: String, _ path: [String]?) throws {
        #expect(try Array(text.utf8).withUnsafeBytes { try JSONNode(parsing: $0).repeatedPath } == path)
        if path != nil { #expect(throws: JSONSyntaxError.self) { try JSONValue(parsingUnambiguous: Array(text.utf8)) } }
    }
}
