import Testing

@testable import PostgresStore

@Suite struct `A database in PostgreSQL` {
    @Test(arguments: [150_000, 150_016, 180_001])
    func `is taken from release 15 on, with UTF-8`(_ version: Int) throws {
        try UnfitDatabase.check(version: version, encoding: "UTF8")
        try UnfitDatabase.check(version: version, encoding: nil)
    }

    @Test func `of an earlier release is refused with both releases`() {
        let error = #expect(throws: UnfitDatabase.oldServer(version: 140_009)) {
            try UnfitDatabase.check(version: 140_009, encoding: "UTF8")
        }
        #expect(error?.description == "the server is PostgreSQL 14.9: expected 15 or newer")
    }

    @Test func `with another encoding is refused, since names could not be stored`() {
        #expect(throws: UnfitDatabase.encoding("LATIN1")) {
            try UnfitDatabase.check(version: 150_000, encoding: "LATIN1")
        }
    }
}
