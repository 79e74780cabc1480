import ArgumentParser
import Gateway
import Inbox

struct PublisherKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make a key for a publisher, and the settings that let it in.",
        discussion: HelpText.with(
            """
            Prints the key and lines for the configuration file. The key is shown once: the settings hold only its hash. \
            A publisher sends it as `Authorization: Bearer <key>`.
            """, examples: "belfry publisher key rooms-backend"))

    @Argument(help: "The publisher's name in the settings.")
    var name: String

    func validate() throws {
        guard AppName(name) != nil else { throw ValidationError("name: expected \(AppName.expectation).") }
    }

    func run() {
        let key = PublisherKey()
        Terminal.print(
            page: """
                key: \(key.text)

                publishers:
                  \(name):
                    keyHash: \(PublisherKey.hash(of: key.text))
                """)
    }
}
