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
        let members = try #require(try node(#"{"b":1,"a":{"b":2},"b":3}"#).members)
        #expect(members.map(\.key.text) == ["b", "a", "b"])
        #expect(members.value(of: "b")?.int == 1 && members.value(of: "a")?["b"]?.int == 2)
        #expect(members.value(of: "c") == nil)
        #expect(try node("[1]").members == nil && node("{}").members?.isEmpty == true)
    }

    @Test(arguments: [
        ("{}", nil), (#"{"a":1,"b":2,"ab":3,"abcdefgh":4,"abcdefgi":5}"#, nil), (#"{"a":1,"b":2,"a":3}"#, "a"),
        (#"{"abcdefgh1":1,"x":2,"abcdefgh1":3}"#, "abcdefgh1"), (#"{"\u0061":1,"a":2}"#, "a"),
        // One letter with its accent, and the two apart: the same text to whoever looks a member up.
        (#"{"\u00e9":1,"e\u0301":2}"#, "é"),
    ])
    func `a key that an earlier member has is found`(_ text: String, _ key: String?) throws {
        #expect(try node(text).members?.repeatedKey == key)
    }

    @Test(arguments: [16, 17, 300])
    func `a repeated key is found among few members as among many`(_ count: Int) throws {
        let members = (1..<count).map { "\"key\($0)\":\($0)" }
        #expect(try node("{\(members.joined(separator: ","))}").members?.repeatedKey == nil)
        let repeated = members + [#""key1":0"#]
        #expect(try node("{\(repeated.joined(separator: ","))}").members?.repeatedKey == "key1")
    }

    @Test func `only a string has octets`() throws {
        let elements = try #require(try node(#"["é", "", 1, null, {}, []]"#).elements)
        #expect(elements.map { $0.utf8.map(Array.init) } == [[0xC3, 0xA9], [], nil, nil, nil, nil])
    }

    @Test func `what was parsed is copied whole`() throws {
        let text = #"{"a":[1,2.5,{"b":null}],"c":{"d":"e","f":true}}"#
        let node = try node(text)
        #expect(String(decoding: node.value.encoded, as: UTF8.self) == text)
        #expect(JSONObject(copying: try #require(node.members)) == node.value.object)
    }
}
