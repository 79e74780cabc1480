import Testing
import WireProtocol

@testable import Gateway

struct FeedNameTests {
    @Test(arguments: ["posts", "query:42", "für alle", " ", String(repeating: "x", count: 200)])
    func `a feed may have any name that can be shown`(_ name: String) {
        #expect(FeedName.isValid(name))
    }

    @Test(arguments: [
        "", "a\nb", "\u{0}", "a\u{7F}", "a\u{85}", String(repeating: "x", count: 201),
        String(repeating: "ü", count: 101),
    ])
    func `a name that is empty, too long or has control characters is none`(_ name: String) {
        #expect(!FeedName.isValid(name))
    }

    @Test func `a feed that was named when U+0080 to U+009F were taken is still found`() {
        #expect(FeedName.mayBeKnown("a\u{85}") && FeedName.mayBeKnown("posts"))
        #expect(!FeedName.mayBeKnown("a\nb") && !FeedName.mayBeKnown(""))
    }

    @Test(arguments: [
        ("application/x-ndjson", "application/x-ndjson"),
        ("Application/X-NDJSON; charset=utf-8", "application/x-ndjson"),
        (" application/json ;", "application/json"), ("", nil),
    ])
    func `a media type is read without case and parameters`(_ value: String, _ type: String?) {
        let headers: HTTPHeaders = ["Content-Type": value]
        #expect(headers.mediaType == type)
        #expect(HTTPHeaders().mediaType == nil)
    }
}
