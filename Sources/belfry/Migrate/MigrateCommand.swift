import ArgumentParser
import Migration
import Postgres
import PostgresStore
import SQLiteStore

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move a store from SQLite to PostgreSQL, or back.",
        discussion: HelpText.with(
            """
            Copies all rows into an empty database or folder, and compares both stores by counts and checksums. Clients resume \
            where they were, keys of events hold, and waiting pushes leave at their time. All servers of both stores must be \
            stopped, and the source stays as it is. An interrupted run is continued by the same command; until it has ended, no \
            server opens the target. Passwords are best given in PGPASSWORD, or by passfile= in the address.
            """,
            examples:
                #"belfry migrate --from ./data --to "postgres://belfry@db.example.com/belfry?sslmode=verify-full""#,
            "belfry migrate --from postgres://belfry@db.example.com/belfry --to ./data",
            "belfry migrate --verify --from ./data --to postgres://belfry@db.example.com/belfry"))

    @Option(help: ArgumentHelp("The store to copy: a data folder, or postgres://…", valueName: "place"))
    var from: String

    @Option(help: ArgumentHelp("Where to: postgres://…, or a data folder without a store.", valueName: "place"))
    var to: String

    @Flag(help: "Only compare the two stores.")
    var verify = false

    private func places() throws -> (source: StorePlace, target: StorePlace) {
        (try StorePlace(from, option: "--from"), try StorePlace(to, option: "--to"))
    }

    func validate() throws {
        let (source, target) = try places()
        guard source.isDatabase != target.isDatabase else {
            throw ValidationError(
                "--from and --to: expected a data folder for one of them, and postgres://… for the other. `belfry backup` "
                    + "and pg_dump copy a store within its engine")
        }
    }

    func run() throws {
        let (source, target) = try places()
        let progress = ProgressLine.onTerminal()
        do {
            let migration = StoreMigration(
                from: try source.open(isTarget: false), to: try target.open(isTarget: !verify))
            let report =
                try verify
                ? migration.compare { progress.show($0.text) } : migration.run { progress.show($0.text) }
            progress.end()
            try tell(report)
        } catch let code as ExitCode {
            throw code
        } catch {
            progress.end()
            Terminal.complain(Self.reason(error))
            throw ExitCode.failure
        }
    }

    private func tell(_ report: MigrationReport) throws {
        let table = TextTable(
            header: ["table", "rows", "checksum", "rows there", "checksum there", ""],
            rows: report.tables.map { line in
                [
                    line.table, "\(line.source.rows)", line.source.checksumText, "\(line.target.rows)",
                    line.target.checksumText, line.isEqual ? "equal" : "DIFFERENT",
                ]
            })
        for line in table.lines { Terminal.print(line) }
        guard report.isEqual else {
            let tables = report.tables.filter { !$0.isEqual }.map(\.table).joined(separator: ", ")
            Terminal.complain(
                verify
                    ? "the stores differ in \(tables)"
                    : "the stores differ in \(tables): the source has changed since the copy began. Empty the target and begin "
                        + "again (docs/cluster.md, \"Moving up, and back\")")
            throw ExitCode.failure
        }
        Terminal.print("OK \(report.rows) rows are equal in both stores")
    }

    static func reason(_ error: any Error) -> String {
        guard let failure = error as? PostgresFailure else { return "\(error)" }
        return failure.meaning == .cannotConnect || failure.meaning == .readOnly
            ? "\(failure): check the address, the user and the password, and that it is the primary"
            : "\(failure): the same command continues"
    }
}

extension StoreMigration.Step {
    fileprivate var text: String {
        switch self {
        case .copying(let table, let rows): "copied \(rows) rows of \(table)"
        case .completing: "making indexes and figures"
        case .comparing(let table, let rows): "compared \(rows) rows of \(table)"
        }
    }
}
