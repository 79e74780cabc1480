import Testing

@testable import Bench

struct MarkerTests {
    private func found(in text: String) -> [Marker] {
        Array(text.utf8).withUnsafeBytes { bytes in
            var (position, markers) = (0, [Marker]())
            while let marker = Marker.next(in: bytes, from: &position) { markers.append(marker) }
            return markers
        }
    }

    private func text(_ marker: Marker) -> String {
        var bytes: [UInt8] = []
        marker.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [0, 1, 42, 1_234_567_890_123_456_789, Int64.max])
    func `reads what it has written, whatever stands around it`(_ due: Int64) {
        let marker = Marker(stream: 7, due: due)
        #expect(text(marker).utf8.count == Marker.byteCount)
        for surroundings in [("", ""), ("{\"a\":\"", "\"}"), ("@", "@"), ("@@@", "@@9"), ("ä@@1", "x")] {
            #expect(found(in: surroundings.0 + text(marker) + surroundings.1) == [marker])
        }
    }

    @Test func `finds all of several, in order, also without anything between`() {
        let markers = (0..<5).map { Marker(stream: $0, due: Int64($0) * 1_000) }
        #expect(found(in: markers.map(text).joined()) == markers)
        #expect(found(in: markers.map(text).joined(separator: "pete@example.com")) == markers)
    }

    @Test(arguments: [
        "", "@", "@@", "@@0", "@@01234567890123456789@", "@@0123456789012345678@@", "@@0123456789012345678x@@",
        "@@x1234567890123456789@@", "@@09999999999999999999@@",
    ])
    func `takes nothing else for a marker`(_ text: String) {
        #expect(found(in: text).isEmpty)
    }
}
