import Testing

@testable import WireProtocol

struct ExtensionListTests {
    /// The list in its plainest spelling, without white space and quotes.
    func spelling(of fields: [String]) throws -> String {
        let elements = try ExtensionListParser.extensions(in: fields).map { element in
            let parameters = element.parameters.map { $0.name + ($0.value.map { "=\($0)" } ?? "") }
            return ([element.name] + parameters).joined(separator: ";")
        }
        return elements.joined(separator: ",")
    }

    @Test(
        arguments: [
            ([], ""),
            (["foo"], "foo"),
            (["foo", "bar; baz=2"], "foo,bar;baz=2"),
            (["foo; a; b=1, bar"], "foo;a;b=1,bar"),
            (["  foo\t ;\ta = 1 ; b , bar "], "foo;a=1;b,bar"),
            (["foo; a=\"1\""], "foo;a=1"),
            (["foo; a=\"\\1\\0\""], "foo;a=10"),
            ([", foo,, ,bar,"], "foo,bar"),
            (["", "foo"], "foo"),
            (["foo; a; a"], "foo;a;a"),
            (["!#$%&'*+-.^_`|~09azAZ"], "!#$%&'*+-.^_`|~09azAZ"),
        ])
    func `reads what the grammar allows`(_ fields: [String], _ expected: String) throws {
        #expect(try spelling(of: fields) == expected)
    }

    @Test(
        arguments: [
            "", " ", ",", " , ,", ";", "foo;", "foo; ", "foo;;a", "foo; =1", "foo; a=", "foo; a= ", "foo; a=,bar", "=1",
            "foo=1", "foo bar", "foo; a b", "foo; a=1 2", "foo; a=\"", "foo; a=\"1", "foo; a=\"1\\", "foo; a=\"1\\\"",
            "foo; a=\"\"", "foo; a=\"1 2\"", "foo; a=\"1,2\"", "foo; a=\"1\"2", "foo; a=\"1\" 2", "foo; a='1 2'",
            "foo; \"a\"", "\"foo\"", "foo/bar", "foo; a=1=2", "f\u{F6}o", "foo, b@r", "foo; (comment)", "foo\u{0}",
        ])
    func `refuses what it does not`(_ field: String) throws {
        #expect(throws: ExtensionListViolation.malformed) { try spelling(of: [field]) }
        if !field.allSatisfy(", ".contains) {
            #expect(throws: ExtensionListViolation.malformed) { try spelling(of: ["ok; a=1", field]) }
        }
    }

    @Test func `reads a bounded number of extensions over all lines`() throws {
        let most = ExtensionListParser.maximumExtensions
        let fields = [String](repeating: "foo", count: most)
        #expect(try ExtensionListParser.extensions(in: fields).count == most)
        #expect(throws: ExtensionListViolation.tooMany) { try spelling(of: fields + ["foo"]) }
        #expect(throws: ExtensionListViolation.tooMany) {
            try spelling(of: [(fields + ["foo"]).joined(separator: ",")])
        }
    }

    @Test func `reads a bounded number of parameters`() throws {
        let most = ExtensionListParser.maximumParameters
        let field = "foo" + String(repeating: "; a", count: most)
        #expect(try ExtensionListParser.extensions(in: [field]).first?.parameters.count == most)
        #expect(throws: ExtensionListViolation.tooMany) { try spelling(of: [field + "; a"]) }
    }

    @Test(arguments: ExtensionListViolation.allCases)
    func `every violation has its reason`(_ violation: ExtensionListViolation) {
        #expect(violation.reason.hasPrefix("Sec-WebSocket-Extensions "))
        #expect(Set(ExtensionListViolation.allCases.map(\.reason)).count == ExtensionListViolation.allCases.count)
    }
}
