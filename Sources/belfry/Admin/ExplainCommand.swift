import ArgumentParser
import Inbox
import JSON

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell what was decided about an event, or about a person, and why.",
        discussion: HelpText.with(
            """
            An event is found by its id, which the answer to its publish has, or by its key. Without an event, the answer \
            has the latest decisions about a person.
            """,
            examples: "belfry explain --key like-1", "belfry explain --key like-1 --user sarah",
            "belfry explain --user sarah"))

    @OptionGroup var admin: AdminOptions
    @OptionGroup var about: AppOption

    @Argument(help: "The event's id, from the answer to its publish.")
    var event: String?

    @Option(help: "The key with which the event was published.")
    var key: String?

    @Option(help: "With --key: the event's publisher if that was another user, such as uid:1000.")
    var publisher: String?

    @Option(
        help: "Only the decisions about this person; without an event, the latest ones.", transform: UserID.argument)
    var user: UserID?

    @Option(help: "The most recipients, or events of a person, to print.")
    var limit = 100

    func validate() throws {
        guard event == nil || key == nil else { throw ValidationError("Expected either an event or --key.") }
        guard event != nil || key != nil || user != nil else {
            throw ValidationError("Expected an event, --key or --user.")
        }
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit: expected a number from 1 to 1000.") }
    }

    func run() async throws {
        var query = [("limit", String(limit))]
        var path = ["v1", "trail"]
        if let event {
            path.append(event)
        } else if let key {
            query.append(("key", key))
            // A key belongs to one publisher. An event's id or a user needs no publisher.
            if let publisher { query.append(("publisher", publisher)) }
        } else if let user {
            path = ["v1", "users", user.name, "trail"]
        }
        let isPersonal = event == nil && key == nil
        if let user, !isPersonal { query.append(("user", user.name)) }
        let answer = try await admin.client(about: about.app).call("GET", path, query: query)
        if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        let explanation = Explanation(clock: LocalClock())
        for line in isPersonal ? explanation.lines(ofPerson: answer) : explanation.lines(ofEvent: answer) {
            Terminal.print(line)
        }
    }
}
