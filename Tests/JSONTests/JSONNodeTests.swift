import CSimdjson
import Testing

@testable import JSON

struct JSONNodeTests {
    /// Reads before the next test parses: a node lives no longer.
    func node(_ text: String) throws -> JSONNode {
        try Array(text.utf8).withUnsafeBytes { try JSONNode(parsing: $0) }
    }

    @Test func `reads members where they are, the first of equal keys`() throws {
        let node = try node(#"{"type":"ack","seq":7,"seq":8,"on":false,"no":null,"deep":{"seq":9},"list":["a",1]}"#)
        #expect(node["type"]?.string == "ack")
        #expect(node["seq"]?.int == 7)
        #expect(node["on"]?.bool == false)
        #expect(node["no"]?.isNull == true)
        #expect(node["deep"]?["seq"]?.int == 9)
        #expect(node["list"]?.elements?.map(\.string) == ["a", nil])
        #expect(node["missing"] == nil && node["se"] == nil && node["seqs"] == nil)
        #expect(node["type"]?["seq"] == nil && node["type"]?.elements == nil)
    }

    @Test func `a key is compared as it reads, not as it was escaped`() throws {
        #expect(try node(#"{"\u0074ype":"a\u0062"}"#)["type"]?.string == "ab")
    }

    @Test func `a number is whole only where it fits 64 bits`() throws {
        let node = try node("[9223372036854775807, 9223372036854775808, 1.5, -0, \"1\"]")
        let elements = try #require(node.elements)
        #expect(elements.map(\.int) == [.max, nil, nil, 0, nil])
        #expect(elements.map(\.isNumber) == [true, true, true, true, false])
    }

    @Test func `an object's members are read in their order, with all that are repeated`() throws {
        let object = try node(#"{"b":1,"a":{"b":2},"b":3}"#)
        var keys: [String] = []
        object.forEachMember { keys.append($0.key.text) }
        #expect(keys == ["b", "a", "b"] && object.memberCount == 3)
        try node("[1]").forEachMember { _ in Issue.record("an array has no members") }
        #expect(try node("[1]").memberCount == 0 && node("{}").memberCount == 0)
    }

    @Test(arguments: [
        "{}", "[]", #"{"a":[1,-20,"é",{"b":null,"cd":true}],"e":{}}"#,
        "[9223372036854775808,123456789012345678901234567890]",
    ])
    func `a value tells how long it is as JSON`(_ text: String) throws {
        #expect(try node(text).byteCount == text.utf8.count)
    }

    @Test(arguments: [
        ("{}", nil), (#"{"a":1,"b":2,"ab":3,"abcdefgh":4,"abcdefgi":5}"#, nil), (#"{"a":1,"b":2,"a":3}"#, "a"),
        (#"{"abcdefgh1":1,"x":2,"abcdefgh1":3}"#, "abcdefgh1"), (#"{"\u0061":1,"a":2}"#, "a"),
        // One letter with its accent, and the two apart: the same text to whoever looks a member up.
        (#"{"\u00e9":1,"e\u0301":2}"#, "é"),
    ])
    func `a key that an earlier member has is found`(_ text: String, _ key: String?) throws {
        #expect(try node(text).repeatedKey == key)
    }

    @Test(arguments: [16, 17, 300])
    func `a repeated key is found among few members as among many`(_ count: Int) throws {
        let members = (1..<count).map { "\"key\($0)\":\($0)" }
        #expect(try node("{\(members.joined(separator: ","))}").repeatedKey == nil)
        let repeated = members + [#""key1":0"#]
        #expect(try node("{\(repeated.joined(separator: ","))}").repeatedKey == "key1")
    }

    @Test func `only a string has octets`() throws {
        let elements = try #require(try node(#"["é", "", 1, null, {}, []]"#).elements)
        #expect(elements.map { $0.utf8.map(Array.init) } == [[0xC3, 0xA9], [], nil, nil, nil, nil])
    }

    @Test func `a parsed value is copied whole`() throws {
        let text = #"{"a":[1,2.5,{"b":null}],"c":{"d":"e","f":true}}"#
        let node = try node(text)
        #expect(String(decoding: node.value.encoded, as: UTF8.self) == text)
        #expect(JSONObject(copying: node) == node.value.object)
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1.50", "1E300", "18446744073709551615", "-9223372036854775808", "[]", "{}",
        #"[[], {}, [null, [1, 2]], "x"]"#, #"{"a": {"b": [true, false]}, "a": "twice", "": ""}"#,
        #"["\u0041\u0001\"\\\/\n\r\t\b", "eightchr", "é\u00e9 and more of it", "\u007f"]"#,
        #"{ "a \"key\"" : 1, "\u0000": 2 }"#,
    ])
    func `the hash of the shortest text equals that of the encoded value`(_ text: String) throws {
        let encoded = try node(text).value.encoded
        #expect(try node(text).shortestTextHash == fnv1a(encoded))
    }

    @Test(arguments: 0...26)
    func `a byte that needs an escape is hashed as it is written, wherever it stands`(length: Int) throws {
        for place in 0..<length {
            for byte in UInt8(0)...0x7F {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                bytes[place] = byte
                let text = String(decoding: bytes, as: UTF8.self)
                for value in [JSONValue.string(text), [text: 1]] {
                    let encoded = value.encoded
                    let hash = try encoded.withUnsafeBytes { try JSONNode(parsing: $0).shortestTextHash }
                    #expect(hash == fnv1a(encoded))
                }
            }
        }
    }

    private func fnv1a(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// By the parser that is kept, and by the one for large documents.
    @Test(arguments: [(1, 10_000), (50_000, 100_000)])
    func `of a document that is followed by one that is broken nothing is left to be read`(
        count: Int, brokenCount: Int
    ) throws {
        let (valid, broken) = (elements(count) + "1]", elements(brokenCount))
        let tape = try node(valid).node.tape
        #expect(tape?.pointee.words != nil && tape?.pointee.strings != nil)
        #expect(throws: JSONSyntaxError.self) { try node(broken) }
        #expect(tape?.pointee.words == nil && tape?.pointee.strings == nil)
    }

    private func elements(_ count: Int) -> String { "[" + String(repeating: "1,", count: count) }

    @Test(arguments: 0...20)
    func `a text is copied whole, whatever its length`(count: Int) throws {
        for letter in ["a", "é"] {
            let text = String(repeating: letter, count: count)
            var read: [String?] = []
            try node("{\"\(text)\":\"\(text)\"}").forEachMember { read += [$0.key.text, $0.value.string] }
            #expect(read == [text, text])
        }
    }

    @Test func `each kind of value is stepped over`() throws {
        let text = #"[{"a":[1,{}]},[],[[2]],"three",4,5.5,18446744073709551615,true,false,null,6]"#
        let elements = try #require(try node(text).elements)
        #expect(elements.count == 11 && elements.last?.int == 6)
        #expect(try node(#"{"a":{"x":[1]},"b":[],"c":1.5,"d":"","e":true,"f":7}"#)["f"]?.int == 7)
    }

    @Test func `a member that is none of the known ones is found, and a known one that is repeated`() throws {
        func look(_ text: String) throws -> [String?] {
            var repeated: String?
            let unknown = try node(text).firstUnknownKey(known: ["to", "type", "typeOfEvent"], repeated: &repeated)
            return [unknown, repeated]
        }
        #expect(try look(#"{"type":1,"to":2,"typeOfEvent":3}"#) == [nil, nil])
        #expect(try look(#"{"type":1,"typ":2,"types":3}"#) == ["typ", nil])
        #expect(try look(#"{"to":1,"type":2,"to":3,"type":4}"#) == [nil, "to"])
        #expect(try look(#"{"to":1,"to":2,"typeofEvent":3}"#) == ["typeofEvent", nil])
    }
}
