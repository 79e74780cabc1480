import Testing
import Tracing

/// The cases of W3C Trace Context Level 2, and of its test suite (https://github.com/w3c/trace-context).
struct SpanContextTests {
    static let good = "00-12345678901234567890123456789012-1234567890123456-01"

    private func read(_ parent: String, _ states: String...) -> SpanContext? {
        SpanContext(parents: [parent], states: states)
    }

    @Test func `a valid parent is taken in, and written the same`() throws {
        let context = try #require(read(Self.good))
        #expect(context.trace.text == "12345678901234567890123456789012")
        #expect(context.span.text == "1234567890123456")
        #expect(context.isSampled)
        #expect(context.header == Self.good)
        let other = try #require(read("00-00000000000000000000000000000001-0000000000000002-00"))
        #expect(!other.isSampled)
        #expect(other.header == "00-00000000000000000000000000000001-0000000000000002-00")
    }

    @Test func `flags that are not known yet are left out`() {
        #expect(read("00-12345678901234567890123456789012-1234567890123456-ff")?.header == Self.good)
        #expect(read("00-12345678901234567890123456789012-1234567890123456-02")?.isSampled == false)
    }

    @Test(arguments: [
        "", "00", "00-", "-", Self.good + "-", Self.good + "-what", Self.good + ".", " " + Self.good, Self.good + " ",
        "00-00000000000000000000000000000000-1234567890123456-01",
        "00-12345678901234567890123456789012-0000000000000000-01",
        "00-1234567890123456789012345678901-1234567890123456-01",
        "00-123456789012345678901234567890123-1234567890123456-01",
        "00-12345678901234567890123456789012-123456789012345-01",
        "00-12345678901234567890123456789012-12345678901234567-01",
        "00-12345678901234567890123456789012-1234567890123456-1",
        "00-12345678901234567890123456789012-1234567890123456-1g",
        "00-12345678901234567890123456789012-1234567890123456",
        "00-ABCDEF12345678901234567890123456-1234567890123456-01",
        "00-12345678901234567890123456789012-ABCDEF1234567890-01",
        "00-12345678901234567890123456789012-1234567890123456-0A",
        "00-1234567890123456789012345678901.-1234567890123456-01",
        "00_12345678901234567890123456789012_1234567890123456_01",
        "ff-12345678901234567890123456789012-1234567890123456-01",
        "ff-12345678901234567890123456789012-1234567890123456-01-what",
        "0-12345678901234567890123456789012-1234567890123456-01",
        ".0-12345678901234567890123456789012-1234567890123456-01",
        "cc-12345678901234567890123456789012-1234567890123456-01.what",
        "00-１２345678901234567890123456789012-1234567890123456-01",
    ])
    func `a wrong parent is as good as none`(_ parent: String) {
        #expect(read(parent) == nil)
    }

    @Test(arguments: ["", "-what-the-future-will-be-like", "-"])
    func `a later version is read as far as this one goes`(_ more: String) {
        let context = read("cc-12345678901234567890123456789012-1234567890123456-01" + more)
        #expect(context?.header == Self.good)
    }

    @Test func `several parents are as good as none`() {
        #expect(SpanContext(parents: [Self.good, Self.good], states: []) == nil)
        #expect(SpanContext(parents: [], states: ["a=1"]) == nil)
    }

    @Test func `a list of vendors goes along, and its lines become one`() {
        #expect(read(Self.good, "foo=1,bar=2")?.state == "foo=1,bar=2")
        #expect(
            read(Self.good, "foo=1 \t , \t bar=2, ", "", "rojo@vendor=a b!")?.state == "foo=1,bar=2,rojo@vendor=a b!")
        #expect(read(Self.good)?.state == nil)
        #expect(read(Self.good, " ")?.state == nil)
    }

    @Test(arguments: [
        "foo", "foo =1", "FOO=1", "foo=1=2", "foo=1,foo=2", "=1", "foo=", "foo.bar=1", "foo=\u{7F}", "foo=ü",
        (0..<33).map { "k\($0)=1" }.joined(separator: ","), "foo=" + String(repeating: "a", count: 257),
        (0..<8).map { "k\($0)=" + String(repeating: "a", count: 70) }.joined(separator: ","),
    ])
    func `a wrong list is left out, and the parent stays`(_ state: String) {
        let context = read(Self.good, state)
        #expect(context?.header == Self.good)
        #expect(context?.state == nil)
    }
}
