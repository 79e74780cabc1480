import ArgumentParser
import SQLiteStore

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the store into one file, while the server runs.",
        discussion: HelpText.with(
            """
            The file holds the store as it was when copying began, and is checked before it gets its name. A file that is \
            there already is not overwritten. The command reads the data folder itself, whether the server runs or not: \
            it needs permission to read and write that folder.
            """, examples: #"belfry backup --data ./data "belfry-$(date +%F).sqlite""#))

    @Argument(help: "The file to make.")
    var file: String

    @OptionGroup var store: StoreOptions

    func run() throws {
        let (folder, progress) = try (store.folder(instead: "pg_dump"), ProgressLine.onTerminal())
        do {
            let summary = try StoreBackup.make(of: folder, to: file) { progress.show("copied", part: $0) }
            progress.end()
            Terminal.print("OK \(file): \(summary.bytes) bytes, inboxes: \(summary.inboxes)")
        } catch {
            progress.end()
            Terminal.complain(error.description)
            throw ExitCode.failure
        }
    }
}
