import Testing
import WireProtocol

/// The texts and rules are those of the HTTP Protocol Binding for CloudEvents 1.0.2 §3.1.3.2.
struct CloudEventFieldTests {
    @Test(arguments: [
        ("1234-1234-1234", "1234-1234-1234"), ("Euro%20%E2%82%AC%20%F0%9F%98%80", "Euro € 😀"),
        ("%e2%82%ac", "€"), ("%41%62c", "Abc"), ("%2541", "%41"), (#""a \"b\" \\ c""#, #"a "b" \ c"#),
        (#""Euro%20%E2%82%AC""#, "Euro €"), ("", ""), (#""""#, ""), ("a b+c", "a b+c"),
    ])
    func `a value is unquoted, and then percent-decoded once`(_ value: String, _ text: String) {
        #expect(CloudEventField.decode(value) == text)
    }

    @Test(arguments: ["%C0%A0", "%E2%82", "%", "%4", "%zz", "%00", "€", #""open"#, #""a"b"#, #""a\"#])
    func `a value that is no text in UTF-8 is refused`(_ value: String) {
        #expect(CloudEventField.decode(value) == nil)
    }
}
