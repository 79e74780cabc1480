import ArgumentParser
import Gateway
import SQLiteStore

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a store.",
        discussion: HelpText.with(
            """
            The server must be stopped, and the data folder must hold no store: move belfry.sqlite, and belfry.sqlite-wal if \
            it is there, to another place first. The backup stays as it is. Returning clients load their inbox again, \
            since they may have seen more than the backup has. Pushes in it are sent if they have not expired. Run it as the \
            server's user, or as root where the data folder is there: then the store is given to the folder's owner.
            """, examples: #"belfry restore --data ./restored "belfry-$(date +%F).sqlite""#))

    @Argument(help: "A file that `belfry backup` has made.")
    var file: String

    @OptionGroup var store: StoreOptions

    func run() throws {
        let (folder, progress) = try (store.folder(instead: "pg_restore"), ProgressLine.onTerminal())
        do {
            let summary = try StoreBackup.restore(file, into: folder, makeEpoch: RandomName.epoch) {
                progress.show("copied", part: $0)
            }
            progress.end()
            Terminal.print("OK \(folder): \(summary.bytes) bytes, inboxes: \(summary.inboxes)")
        } catch {
            progress.end()
            Terminal.complain(error.description)
            throw ExitCode.failure
        }
    }
}
