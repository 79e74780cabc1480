import Testing
import WireProtocol

@testable import Gateway

struct KnownMembersTests {
    private func seq(of text: String) throws(Problem) -> Int64? {
        try KnownMembers(Array(text.utf8), known: ["upTo"]).seq("upTo")
    }

    @Test(arguments: [
        (#"{"upto":3}"#, "unknown_field", "/upto"), (#"{"upTo":7,"upTo":1}"#, "invalid_value", "/upTo"),
        (#"{"upTo":null}"#, "wrong_type", "/upTo"), (#"{"upTo":"1"}"#, "wrong_type", "/upTo"),
        (#"{"upTo":-1}"#, "wrong_type", "/upTo"), (#"{"upTo":1.5}"#, "wrong_type", "/upTo"),
        (#"{"upTo":9223372036854775808}"#, "wrong_type", "/upTo"),
    ])
    func `a bound that is none is refused`(text: String, code: String, pointer: String) throws {
        let told = try #require(problem { () throws(Problem) in _ = try seq(of: text) })
        #expect((told.status, told.code, told.pointer) == (400, code, pointer))
    }

    @Test func `a seq is read, and may be left out`() throws {
        #expect(try seq(of: #"{"upTo":0}"#) == 0)
        #expect(try seq(of: "{}") == nil)
    }
}
