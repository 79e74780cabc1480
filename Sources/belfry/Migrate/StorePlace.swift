import ArgumentParser
import Migration
import Postgres
import PostgresStore
import SQLiteStore

/// Where a store is.
enum StorePlace {
    case folder(String)
    case database(PostgresAddress)

    init(_ text: String, option: String) throws {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            do { self = .database(try PostgresAddress(text)) } catch { throw ValidationError("\(option): \(error)") }
        } else {
            // Without quoting it: it may be an address with a password.
            guard !text.isEmpty, !text.contains("://") else {
                throw ValidationError("\(option): expected a data folder, or an address that begins with postgres://")
            }
            self = .folder(text)
        }
    }

    var isDatabase: Bool { if case .database = self { true } else { false } }

    /// Opens it for a migration, and keeps servers away until the process ends.
    func open(isTarget: Bool) throws -> any MigrationEnd {
        switch self {
        case .folder(let folder):
            try SQLiteEnd(folder: folder, isTarget: isTarget) {
                Terminal.complain("bringing the tables in \(folder) up to date with this version")
            }
        case .database(let address): try PostgresEnd(address, isTarget: isTarget)
        }
    }

    /// Opens it for new epochs, and keeps servers away until the process ends.
    func openForEpochs() throws -> any EpochRenewal {
        switch self {
        case .folder(let folder):
            try SQLiteEnd(folder: folder, isTarget: false) {
                Terminal.complain("bringing the tables in \(folder) up to date with this version")
            }
        case .database(let address): try PostgresEnd(address, isTarget: false, isForEpochs: true)
        }
    }
}
