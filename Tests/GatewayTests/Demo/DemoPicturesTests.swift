import JSON
import Testing

@testable import Gateway

struct DemoPicturesTests {
    @Test func `addresses of pictures become the demo's own by turns, and all else stays`() throws {
        let json = try JSONValue(
            parsing: #"""
                {"actor": {"name": "a.jpg", "avatarUrl": null}, "data": {"n": 18446744073709551001, "elements": [
                  {"url": "https://x.example/1.jpg"}, {"url": "https://x.example/2.png"}, {"url": "https://x.example/3.jpeg"},
                  {"url": "https://x.example/4.jpg"}, {"url": "https://x.example/page"}]}}
                """#)
        let replaced = DemoPictures.replaced(in: json)
        let urls = replaced.at(["data", "elements"])?.array?.compactMap { $0.at(["url"])?.string }
        #expect(
            urls == [
                "/demo/picture-1.svg", "/demo/picture-2.svg", "/demo/picture-3.svg", "/demo/picture-1.svg",
                "https://x.example/page",
            ])
        #expect(replaced.at(["actor"]) == json.at(["actor"]))
        #expect(replaced.at(["data", "n"]) == json.at(["data", "n"]))
    }
}
