import JSON
import Testing

struct JSONNumberTests {
    @Test(arguments: [
        "18446744073709551001", "18446744073709551615", "18446744073709551616", "9223372036854775808",
        "-9223372036854775809", "123456789012345678901234567890", "-123456789012345678901234567890.25",
        "0.1234567890123456789012345", "12345678901234.567890123", "1e400", "-1e-400", "1e999999999999999999999",
        "2.2250738585072014123e-308", "1.0", "4.5", "-0.0", "0.30000000000000004", "1e+300", "5e-324", "-2.5e-07",
    ])
    func `a number that no double says exactly is kept as it was written, and the shortest text of one as well`(
        _ text: String
    ) throws {
        for document in [text, "[\(text)]", #"{"-1":[0,"-2",{"a":\#(text)},1.5],"b":7}"#, " \(text) "] {
            let value = try JSONValue(parsing: document)
            #expect(String(decoding: value.encoded, as: UTF8.self) == document.filter { $0 != " " })
            let (written, hash) = try Array(document.utf8).withUnsafeBytes { bytes in
                let node = try JSONNode(parsing: bytes)
                var json = JSONWriter()
                json.value(node)
                return (json.bytes, node.shortestTextHash)
            }
            #expect(written == value.encoded)
            #expect(hash == written.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        }
    }

    @Test(arguments: [
        ["18446744073709551001", "18446744073709551002", "1.8446744073709552e+19"], ["1", "1.0"], ["1e400", "2e400"],
        ["0", "0.0", "-0.0"], ["0.1", "0.1000000000000000055511151231257827", "0.10000000000000001"],
        ["9007199254740993.0", "9007199254740992.0"], ["1.7976931348623157e308", "1.7976931348623158079e308"],
    ])
    func `documents with different numbers have different fingerprints`(_ texts: [String]) throws {
        let hashes = try texts.map { text in
            try Array("[\(text)]".utf8).withUnsafeBytes { try JSONNode(parsing: $0).shortestTextHash }
        }
        #expect(Set(hashes).count == texts.count)
    }

    @Test(
        arguments: [
            ("5.0", 5), ("50e-1", 5), ("5e0", 5), ("-0", 0), ("0e99", 0), ("0.000", 0), ("-1.20e1", -12),
            ("1e18", 1_000_000_000_000_000_000),
            ("9223372036854775807.0", .max), ("-9223372036854775808.000", .min), ("92233720368547758070e-1", .max),
            ("9223372036854775808", nil), ("5.5", nil), ("5.0000000000000000000001", nil), ("1e19", nil),
            ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil), ("18446744073709551616", nil),
        ] as [(String, Int64?)])
    func `a number is the whole one that it is equal to, exactly`(_ text: String, _ expected: Int64?) throws {
        #expect(try JSONValue(parsing: text).int == expected)
        #expect(try Array(text.utf8).withUnsafeBytes { try JSONNode(parsing: $0).int } == expected)
        #expect(JSONNumber(text)?.int == expected)
    }

    @Test(
        arguments: [
            ("1e0", "1.0"), ("4.50", "4.5"), ("1E5", "100000.0"), ("100000000000000000000000e10", "1e+33"),
            ("0e0", "0.0"),
            ("-0", "0"), ("0.1000000000000000000000", "0.1"), ("1234567890123456789012345678900e-30", nil),
        ] as [(String, String?)])
    func `a number that a double says exactly is written in its shortest form`(_ text: String, _ shortest: String?)
        throws
    {
        for document in [text, "[\(text),123456789012345678901234567890]"] {
            let written = String(decoding: try JSONValue(parsing: document).encoded, as: UTF8.self)
            #expect(written == document.replacing(text, with: shortest ?? text))
        }
    }

    @Test func `only what is written as a whole number is an id`() throws {
        for (text, expected) in [
            ("7", "7"), ("18446744073709551001", "18446744073709551001"), ("-3", "-3"), ("1.0", nil), ("1e3", nil),
            ("true", nil), (#""7""#, nil),
        ] { #expect(try JSONValue(parsing: text).wholeText == expected) }
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e5", "0x1", "1 ", "inf", "NaN", "1_000", "--1",
    ])
    func `a text that JSON does not write is no number`(_ text: String) {
        #expect(JSONNumber(text) == nil)
        if !text.isEmpty, text != "1 " { #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[\(text)]") } }
    }

    @Test func `a double that is no number is not written as one`() {
        #expect(JSONNumber(.infinity) == nil && JSONNumber(.nan) == nil)
        #expect(String(decoding: JSONValue.double(.infinity).encoded, as: UTF8.self) == "null")
        #expect(String(decoding: JSONValue.double(2.5).encoded, as: UTF8.self) == "2.5")
    }

    @Test func `numbers of one document are not mixed up with those of the one before`() throws {
        #expect(
            String(decoding: try JSONValue(parsing: "[1.25,2.5,3,0.12345678901234567890]").encoded, as: UTF8.self)
                == "[1.25,2.5,3,0.12345678901234567890]")
        #expect(String(decoding: try JSONValue(parsing: "[4,5.0]").encoded, as: UTF8.self) == "[4,5.0]")
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[1.5,") }
        #expect(String(decoding: try JSONValue(parsing: "[0,1.5,0]").encoded, as: UTF8.self) == "[0,1.5,0]")
    }
}
