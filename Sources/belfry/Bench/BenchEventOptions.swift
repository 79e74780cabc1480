import ArgumentParser
import Bench
import Foundation

/// The events that a bench publishes.
struct BenchEventOptions: ParsableArguments {
    /// An event of the catalog at the beginning of the README.
    private static let addedToRoom = """
        {"type":"added_to_room","actor":{"id":"bench","username":"bench","firstName":"Bench"},\
        "to":{"added":["{{user}}"]},"data":{"room":{"id":"bench","name":"{{payload}}"}}}
        """

    @Option(
        help: ArgumentHelp(
            """
            A file with the event as JSON, {{user}} for who gets it and {{payload}} for a text that its notification \
            shows. Without it: added_to_room of Config/catalogs/rooms.yaml.
            """, valueName: "file"))
    var event: String?

    @Option(help: ArgumentHelp("How long the payload is, at least 24.", valueName: "bytes"))
    var size = 60

    func validate() throws { try BenchValidation.check(size: size) }

    var template: Template {
        get throws {
            guard let event else { return try Template(Self.addedToRoom) }
            guard let data = FileManager.default.contents(atPath: event) else {
                throw ValidationError("--event: \(event) cannot be read")
            }
            // A streamed event takes one line; line ends between JSON's tokens have no meaning.
            let text = String(decoding: data, as: UTF8.self).split(separator: "\n").joined(separator: " ")
            let template: Template
            do {
                template = try Template(text)
            } catch {
                throw ValidationError("--event: \(error)")
            }
            guard template.hasMarker else { throw ValidationError("--event: expected {{payload}} in \(event)") }
            return template
        }
    }
}
