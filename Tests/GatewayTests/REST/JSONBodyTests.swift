import Testing
import WireProtocol

@testable import Gateway

struct JSONBodyTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        let text: String
        let code: String
        var pointer: String?
        let read: @Sendable (JSONBody) throws(Problem) -> Void

        var testDescription: String { text }

        init(
            _ text: String, _ code: String, _ pointer: String? = nil,
            _ read: @escaping @Sendable (JSONBody) throws(Problem) -> Void = { _ throws(Problem) in }
        ) {
            self.text = text
            self.code = code
            self.pointer = pointer
            self.read = read
        }

        static let text: @Sendable (JSONBody) throws(Problem) -> Void = { body throws(Problem) in
            _ = try body.text("name")
        }
        static let texts: @Sendable (JSONBody) throws(Problem) -> Void = { body throws(Problem) in
            _ = try body.texts("ids", maximum: 2)
        }
    }

    static let mistakes = [
        Mistake("", "invalid_json"), Mistake("{", "invalid_json"), Mistake("{} x", "invalid_json"),
        Mistake("[]", "wrong_type"), Mistake("null", "wrong_type"), Mistake("1", "wrong_type"),
        Mistake("{}", "missing_field", "/name", Mistake.text),
        Mistake(#"{"name":null}"#, "wrong_type", "/name", Mistake.text),
        Mistake(#"{"name":7}"#, "wrong_type", "/name", Mistake.text),
        Mistake(#"{"name":""}"#, "wrong_type", "/name", Mistake.text),
        Mistake("{}", "missing_field", "/ids", Mistake.texts),
        Mistake(#"{"ids":"a"}"#, "wrong_type", "/ids", Mistake.texts),
        Mistake(#"{"ids":["a",1]}"#, "wrong_type", "/ids", Mistake.texts),
        Mistake(#"{"ids":["a","b","c"]}"#, "wrong_type", "/ids", Mistake.texts),
    ]

    @Test(arguments: mistakes) func `a mistake is told by a code and a place`(_ mistake: Mistake) throws {
        let found = problem { () throws(Problem) in try mistake.read(JSONBody(Array(mistake.text.utf8))) }
        let told = try #require(found)
        #expect((told.status, told.code, told.pointer) == (400, mistake.code, mistake.pointer))
        #expect(!told.detail.isEmpty)
    }

    @Test func `members that are right are read`() throws {
        let body = try JSONBody(Array(#"{"name":"renee","ids":["a",""],"none":null}"#.utf8))
        #expect(try body.text("name") == "renee")
        #expect(try body.texts("ids", maximum: 2) == ["a", ""])
        #expect(try body.optionalText("none") == nil)
        #expect(try body.optionalText("missing") == nil)
    }

    @Test func `a client's own text is not in the answer`() throws {
        let found = problem { () throws(Problem) in
            let body = try JSONBody(Array(#"{"name":["hidden"]}"#.utf8))
            _ = try body.text("name")
        }
        #expect(try #require(found).detail.contains("hidden") == false)
    }
}
