import Testing

@testable import WireProtocol

struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `encodes the examples of the RFC`(_ text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test func `sixteen bytes are recognised, and other lengths not`() {
        for count in 0...40 {
            #expect(Base64.isSixteenBytes(Base64.encode([UInt8](repeating: 0xFB, count: count))) == (count == 16))
        }
    }
}
