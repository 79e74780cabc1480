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
}
