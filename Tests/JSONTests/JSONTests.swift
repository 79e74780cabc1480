import JSON
import Testing

struct JSONTests {
    @Test(arguments: [
        #"{"a":1,"b":[true,false,null],"c":{"d":"e"}}"#, "[]", "{}", "-9223372036854775808", #""é \"quoted\" \\ \n""#,
        "[1.5,-0.25,1e+300]", #"{"z":1,"a":2,"m":3}"#,
    ])
    func `a value is written back as it was read`(_ text: String) throws {
        #expect(String(decoding: try JSONValue(parsing: text).encoded, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            "", "{", "[1,]", "{\"a\":}", "nul", "1 2", "\"\u{1}\"", "{\"a\":1}}", "[01]", #"["\udc00"]"#,
            #"["\ud800"]"#, #"["\ud800\u0041"]"#, #"{"\udfff":1}"#,
        ])
    func `broken text is refused with a reason`(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    }

    @Test func `invalid UTF-8 is refused`() {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test func `a document nested too deep is refused and the next one is read`() throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: deep) }
        #expect(try JSONValue(parsing: "[[1]]") == [[1]])
    }

    @Test func `control characters are escaped`() throws {
        let value = JSONValue.string("\u{0}\u{1F}\t")
        #expect(String(decoding: value.encoded, as: UTF8.self) == #""\u0000\u001f\t""#)
        #expect(try JSONValue(parsing: value.encoded) == value)
    }

    @Test(arguments: 0...26)
    func `a byte that needs an escape is found wherever it stands`(length: Int) {
        for place in 0..<length {
            for byte in UInt8(0)...0x7F {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                text[place] = byte
                let escaped: String =
                    switch byte {
                    case 0x22: #"\""#
                    case 0x5C: #"\\"#
                    case 0x0A: #"\n"#
                    case 0x0D: #"\r"#
                    case 0x09: #"\t"#
                    case 0..<0x10: "\\u000" + String(byte, radix: 16)
                    case 0x10..<0x20: "\\u00" + String(byte, radix: 16)
                    default: String(Unicode.Scalar(byte))
                    }
                let rest = String(repeating: "a", count: length - place - 1)
                let expected = "\"" + String(repeating: "a", count: place) + escaped + rest + "\""
                let written = JSONValue.string(String(decoding: text, as: UTF8.self)).encoded
                #expect(String(decoding: written, as: UTF8.self) == expected)
            }
        }
    }

    @Test(arguments: [0, 9, 10, -1, 1_000_000, Int64.max, Int64.min])
    func `a whole number is written as it is`(_ number: Int64) {
        var json = JSONWriter()
        json.array { json in
            json.value(number)
            json.value(Int(number))
            json.object { json in
                json.member("a", number)
                json.member("b", number)
            }
        }
        let member = #"{"a":\#(number),"b":\#(number)}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(number),\(number),\(member)]")
    }

    @Test(arguments: [0, 9, 10, -1, 1_000_000, Int64.max, Int64.min])
    func `four numbers at once are written as one after the other`(_ number: Int64) {
        var (json, expected) = (JSONWriter(), JSONWriter())
        json.object { json in
            json.members(("a", number), ("long name", 0), ("", number), ("d", -5))
            json.members(("e", 1), ("f", number), ("g", 2), ("h", number))
            json.member("i", true)
        }
        expected.object { json in
            for (key, value) in [("a", number), ("long name", 0), ("", number), ("d", -5)] {
                json.key(dynamic: key)
                json.value(value)
            }
            for (key, value) in [("e", 1), ("f", number), ("g", 2), ("h", number)] {
                json.key(dynamic: key)
                json.value(value)
            }
            json.member("i", true)
        }
        #expect(json.bytes == expected.bytes)
    }

    @Test(arguments: ["", "n", "n1-9"])
    func `a text that its owner writes in place is a member like any other`(_ text: String) {
        let write: (UnsafeMutableBufferPointer<UInt8>) -> Int = { room in
            #expect(room.count == 5)
            return room.update(fromContentsOf: text.utf8)
        }
        var json = JSONWriter()
        json.object { json in
            json.member("a", maximumBytes: 5, write)
            json.member("b", maximumBytes: 5, write)
            json.key("c")
            json.value("plain" as StaticString)
            json.member("d", 1)
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":"\#(text)","b":"\#(text)","c":"plain","d":1}"#)
    }

    @Test func `a large document after a small one is read whole`() throws {
        let large = "[" + Array(repeating: #"{"name":"renee"}"#, count: 10_000).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: "7") == 7)
        #expect(try JSONValue(parsing: large).array?.count == 10_000)
        #expect(try JSONValue(parsing: "8") == 8)
    }

    @Test func `a path leads to a nested value or to nothing`() {
        let value: JSONValue = ["room": ["name": "Italy Trip"]]
        #expect(value.at(["room", "name"]) == "Italy Trip")
        #expect(value.at(["room", "id"]) == nil)
        #expect(value.at(["room", "name", "first"]) == nil)
    }

    @Test(arguments: ["", "plain", #"quoted "name" \ and more"#, "long enough for several words\n", "é\u{1}"])
    func `a member that is written at once is its key and its value`(_ text: String) {
        var (atOnce, apart) = (JSONWriter(), JSONWriter())
        atOnce.object { json in
            json.member("a", text)
            json.member("b", true)
            json.member("c", raw: "[1]")
            json.member("d", text)
            json.member("e", false)
        }
        apart.object { json in
            json.key("a")
            json.value(text)
            json.key("b")
            json.value(true)
            json.key("c")
            json.raw("[1]".utf8)
            json.key("d")
            json.value(text)
            json.key("e")
            json.value(false)
        }
        #expect(String(decoding: atOnce.bytes, as: UTF8.self) == String(decoding: apart.bytes, as: UTF8.self))
    }

    @Test func `the writer puts commas between members and raw runs`() {
        var json = JSONWriter()
        json.object { json in
            json.member("a", 1)
            json.raw(#""b":2,"c":3"#.utf8)
            json.key("d")
            json.array { json in
                json.value(-1)
                json.object { _ in }
            }
            json.member("e", "x")
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":1,"b":2,"c":3,"d":[-1,{}],"e":"x"}"#)
    }

    @Test(arguments: ["", "name", "a key of many letters", #"quoted "name" \ and more"#, "é\u{1}"])
    func `a name that is made once is the key that is written each time`(_ name: String) throws {
        let known = JSONName(name)
        var json = JSONWriter()
        json.object { json in
            json.key(known)
            json.value(1)
            json.key(dynamic: name)
            json.object { json in
                json.key(known)
                json.value("x")
            }
        }
        let key = String(decoding: JSONValue.string(name).encoded, as: UTF8.self)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\(key):1,\(key):{\(key):\"x\"}}")
        #expect(known.text == name)
    }

    @Test(arguments: [
        JSONValue.string("a text of many letters"), .string(""), .string("a \"quote\", \u{1} and é"), .null, .int(-7),
        .array([.bool(true)]), .object(["in": "side"]),
    ])
    func `a member with a name that is made once reads like any other`(_ value: JSONValue) throws {
        var json = JSONWriter()
        json.object { json in
            json.member(JSONName("first"), value)
            json.member(JSONName("second"), of: ["other": 1, "second": value, "first": 2])
            json.member(JSONName("third"), of: ["other": value])
            json.member(JSONName("fourth"), "text")
        }
        let expected = JSONValue.object(["first": value, "second": value, "third": nil, "fourth": "text"])
        #expect(try JSONValue(parsing: json.bytes) == expected)
        #expect(json.bytes == expected.encoded)
    }

    @Test(arguments: 0...20)
    func `octets are compared to the last one`(count: Int) {
        let one = (0..<count).map { UInt8($0) }
        #expect(one.withUnsafeBytes { one in Array(one).withUnsafeBytes { $0.hasSameOctets(as: one) } })
        for place in 0..<count {
            var other = one
            other[place] ^= 0x80
            #expect(!one.withUnsafeBytes { one in other.withUnsafeBytes { $0.hasSameOctets(as: one) } })
        }
        #expect(!one.withUnsafeBytes { one in (one + [0]).withUnsafeBytes { $0.hasSameOctets(as: one) } })
    }
}
