import Testing

@testable import Bench

struct TemplateTests {
    private let values = Template.Values(
        marker: Marker(stream: 3, due: 12), user: "bench-7", index: 7, payloadBytes: 30, token: "secret")
    private let marker = "@@30000000000000000012@@"

    @Test func `puts each value in its place, as often as the place stands there`() throws {
        let template = try Template("{{user}}/{{index}}/{{token}}/{{user}} {{now}}")
        #expect(String(decoding: template.rendered(values), as: UTF8.self) == "bench-7/7/secret/bench-7 \(marker)")
    }

    @Test func `fills the payload up to its size, and tells the size`() throws {
        let template = try Template("PUB a {{size}}\r\n{{payload}}")
        #expect(String(decoding: template.rendered(values), as: UTF8.self) == "PUB a 30\r\n\(marker)xxxxxx")
    }

    @Test func `never cuts the marker off`() throws {
        var values = values
        values.payloadBytes = 1
        #expect(String(decoding: try Template("{{size}}{{payload}}").rendered(values), as: UTF8.self) == "24\(marker)")
    }

    @Test(arguments: ["", "{", "{{", "}}", "{\"a\":{\"b\":1}}", "{{user", "ü {x} }}"])
    func `leaves text without places as it is`(_ text: String) throws {
        #expect(String(decoding: try Template(text).rendered(values), as: UTF8.self) == text)
    }

    @Test func `refuses a place that it does not know, and names it`() {
        let problem = #expect(throws: Template.Problem.self) { try Template("{{usr}}") }
        #expect(problem?.description.contains("{{usr}}") == true)
    }

    @Test(arguments: zip([#"a\r\nb"#, #"\t\\"#, #"\x"#, #"end\"#], ["a\r\nb", "\t\\", #"\x"#, #"end\"#]))
    func `reads the line ends of a shell's argument`(_ text: String, meaning: String) {
        #expect(Template.unescaped(text) == meaning)
    }
}
