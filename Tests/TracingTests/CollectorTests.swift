import Testing
import Tracing

struct CollectorTests {
    @Test(arguments: [
        ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
        ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
        ("https://otel.example", "https://otel.example/v1/traces"),
        ("http://[::1]:4318", "http://[::1]:4318/v1/traces"),
        ("https://otel.example/tenant/v1/traces", "https://otel.example/tenant/v1/traces"),
    ])
    func `a URL without a path gets OTLP's`(_ text: String, _ url: String) {
        #expect(Collector.url(text) == url)
    }

    @Test(arguments: [
        "", "127.0.0.1:4318", "grpc://otel.example", "http://", "http:///v1/traces", "http://host:0",
        "http://host:port",
        "http://user:secret@host", "http://host/v1?x=1", "http://host/#x", "http://ho st", "HTTP://host", "http://höst",
    ])
    func `other texts are no URL of a collector`(_ text: String) {
        #expect(Collector.url(text) == nil)
    }

    @Test func `headers are pairs between commas`() throws {
        let headers = try #require(Collector.headers("authorization=Bearer a=b, x-tenant=one"))
        #expect(headers.map(\.name) == ["authorization", "x-tenant"])
        #expect(headers.map(\.value) == ["Bearer a=b", "one"])
    }

    @Test(arguments: [
        "", "authorization", "=x", "a=", "a b=c", "a=b,", "a=b\r\nc: d", "Content-Type=x", "host=y", "ä=b",
    ])
    func `other texts are no headers`(_ text: String) {
        #expect(Collector.headers(text) == nil)
    }
}
