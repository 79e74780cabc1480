import ArgumentParser
import Gateway
import JSON
import PostgresStore
import SQLiteStore
import Verification

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every invariant of a store, and mend what can be mended.",
        discussion: HelpText.with(
            """
            Reads all rows as of one moment: the file's pages and indexes, the tables, and what the rows say of each other. \
            A server may run meanwhile, and its log grows by what it writes. --mend wants it stopped, and changes only rows \
            that are wrong: counts are counted anew, and rows of nobody go. People whose counts were wrong start anew. Rows \
            are named by their numbers, never by texts or people. Exit codes: 0 sound, or all mended; 1 something is wrong; \
            2 it could not be checked. Make a backup before mending.
            """, examples: "belfry verify --data ./data", "belfry verify --data ./data --json"))

    private static let somethingIsWrong = ExitCode(1)
    private static let couldNotCheck = ExitCode(2)

    @Option(help: ArgumentHelp("The server's data folder; ./data by default.", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("A store in PostgreSQL: postgres://…", valueName: "address"))
    var store: String?

    @Option(help: "The server's configuration file, which names its data folder or its database.")
    var config: String?

    @Flag(help: "Mend what can be mended.")
    var mend = false

    @Flag(help: "First write the checksums of all pages anew, after another program has changed the file.")
    var rewriteChecksums = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard let store else { return }
        guard data == nil, config == nil else {
            throw ValidationError("expected --store alone, or --data and --config")
        }
        guard try StorePlace(store, option: "--store").isDatabase else {
            throw ValidationError("--store: expected an address that begins with postgres://")
        }
    }

    func run() throws {
        let progress = ProgressLine.onTerminal()
        do {
            let store = try open()
            let verification = Verification(of: store, VerificationRules(providers: PushServices.standard.providers))
            let (mended, report) =
                try mend ? verification.mend { progress.show($0) } : ([], verification.check { progress.show($0) })
            progress.end()
            let result = VerifyResult(store: store.name, mended: mended, report: report)
            if json { Terminal.print(String(decoding: result.json.encoded, as: UTF8.self)) } else { result.tell() }
            guard report.isSound else { throw Self.somethingIsWrong }
        } catch let code as ExitCode {
            throw code
        } catch {
            progress.end()
            Terminal.complain("\(error)")
            throw Self.couldNotCheck
        }
    }

    /// Closed by the end of the process, which follows.
    private func open() throws -> any VerifiedStore {
        if let store, case .database(let address) = try StorePlace(store, option: "--store") {
            return try PostgresVerifiedStore(address, isForMending: mend)
        }
        let flags = data.map { [SettingsReader.Flag("--data", for: "data", [$0])] } ?? []
        let settings: Settings
        do { settings = try SettingsOptions.settings(config: config, flags: flags) } catch { throw Self.couldNotCheck }
        guard let address = try settings.store.address() else {
            let store = try SQLiteVerifiedStore(folder: settings.data, isForMending: mend || rewriteChecksums)
            if rewriteChecksums { try store.rewriteChecksums() }
            return store
        }
        return try PostgresVerifiedStore(settings.store.withPassword(address), isForMending: mend)
    }
}
