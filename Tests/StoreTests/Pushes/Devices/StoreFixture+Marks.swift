import Foundation
import GRDB
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

extension StoreFixture {
    /// The numbers that devices show, by their rows, as the file has them.
    func marks() throws -> [Int64: [PushMark]] {
        let database = try DatabaseQueue(path: folder + "/belfry.sqlite")
        defer { #expect(throws: Never.self) { try database.close() } }
        return try database.read(PushMark.all)
    }
}

extension PushMark {
    static func all(_ db: Database) throws -> [Int64: [PushMark]] {
        var all: [Int64: [PushMark]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT device, marks FROM push_mark") {
            let marks: [PushMark] = try #require([PushMark](bytes: Array(row["marks"] as Data), of: .standard))
            all[row["device"]] = marks
        }
        return all
    }
}
