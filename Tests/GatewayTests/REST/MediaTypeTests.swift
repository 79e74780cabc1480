import Testing
import WireProtocol

@testable import Gateway

struct MediaTypeTests {
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
