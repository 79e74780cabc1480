import ArgumentParser
import Gateway
import JSON

/// For `scripts/specifications`; its form may change with any version.
struct SpecificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "specification", abstract: "Print every route, setting and code as JSON.", shouldDisplay: false)

    func run() {
        var json = JSONWriter()
        Specification.write(to: &json)
        Terminal.print(String(decoding: json.bytes, as: UTF8.self))
    }
}
