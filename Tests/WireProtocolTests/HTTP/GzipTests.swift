import Testing
import WireProtocol

struct GzipTests {
    @Test(arguments: [1, 100, 70_000]) func `compressed bytes are the same afterwards`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let compressed = try #require(HTTPContentCoding.gzip(bytes))
        #expect(try HTTPContentCoding.gzip.decode(compressed, maximumBytes: count) == bytes)
    }

    @Test func `nothing is not compressed`() { #expect(HTTPContentCoding.gzip([]) == nil) }

    @Test(arguments: [
        "gzip", "deflate, gzip", "GZIP", "gzip;q=0.5", "gzip ; q=1", "*", "identity, *;q=0.1", "x-gzip",
        "br,gzip;q=0.001",
    ])
    func `a client that takes it gets it`(_ value: String) {
        #expect((["Accept-Encoding": value] as HTTPHeaders).acceptGzip)
    }

    @Test(arguments: [
        "", "identity", "br", "gzip;q=0", "gzip; Q=0.000", "*;q=0", "*, gzip;q=0", "gzipped", ";q=1", "gzip;q=0, *",
    ])
    func `another one does not`(_ value: String) {
        #expect(!(["Accept-Encoding": value] as HTTPHeaders).acceptGzip)
    }

    @Test func `without the field nothing is compressed, and several lines are one list`() {
        #expect(!HTTPHeaders().acceptGzip)
        var headers = HTTPHeaders()
        headers.add("Accept-Encoding", "br")
        headers.add("accept-encoding", "gzip")
        #expect(headers.acceptGzip)
    }
}
