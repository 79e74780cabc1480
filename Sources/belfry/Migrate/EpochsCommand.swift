import ArgumentParser
import Migration
import Postgres
import PostgresStore
import SQLiteStore

struct EpochsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epochs",
        abstract: "Have all clients start anew, after a store was put back to an earlier moment.",
        discussion: HelpText.with(
            """
            Gives each inbox and each feed a new epoch. Without that, clients that have seen more than the store has would be \
            told that nothing is missing. Use it after a point-in-time restore, after a standby took over that had missed \
            commits, or for a copy of a data folder; `belfry restore` does it by itself. All servers of the store must be \
            stopped. An interrupted run is continued by the same command; until it has ended, no server opens the store. \
            Passwords are best given in PGPASSWORD, or by passfile= in the address.
            """,
            examples:
                #"belfry epochs --store "postgres://belfry@db.example.com/belfry?sslmode=verify-full""#,
            "belfry epochs --data ./data"))

    @Option(help: ArgumentHelp("A store in PostgreSQL: postgres://…", valueName: "address"))
    var store: String?

    @Option(help: ArgumentHelp("The data folder of a store in SQLite.", valueName: "folder"))
    var data: String?

    private func place() throws -> StorePlace {
        switch (store, data) {
        case (let address?, nil):
            let place = try StorePlace(address, option: "--store")
            if place.isDatabase { return place }
            throw ValidationError("--store: expected an address that begins with postgres://")
        case (nil, let folder?):
            let place = try StorePlace(folder, option: "--data")
            if !place.isDatabase { return place }
            throw ValidationError("--data: expected a data folder; an address is for --store")
        case (nil, nil), (.some, .some): throw ValidationError("expected either --store or --data")
        }
    }

    func validate() throws { _ = try place() }

    func run() throws {
        let place = try place()
        let progress = ProgressLine.onTerminal()
        do {
            let renewed = try place.openForEpochs().renewEpochs { progress.show("new epochs: \($0)") }
            progress.end()
            Terminal.print("OK new epochs of inboxes: \(renewed.inboxes), feeds: \(renewed.feeds)")
        } catch {
            progress.end()
            Terminal.complain(MigrateCommand.reason(error))
            throw ExitCode.failure
        }
    }
}
