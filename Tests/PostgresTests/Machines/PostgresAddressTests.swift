import Testing

@testable import Postgres

@Suite struct PostgresAddressTests {
    @Test func `a description has everything but the password`() throws {
        let address = try PostgresAddress(
            "postgres://belfry:s3cret@one:5432,two:5433/inbox?sslmode=verify-full&sslpassword=t0psecret")
        #expect(address.description == "postgres://belfry@one:5432,two:5433/inbox?sslmode=verify-full")
        var dumped = ""
        dump(address, to: &dumped)
        for text in [dumped, "\(address)", String(reflecting: address), String(reflecting: [address])] {
            #expect(!text.contains("s3cret") && !text.contains("t0psecret"))
        }
    }

    @Test func `each host has its port, and all ask for writes`() throws {
        let address = try PostgresAddress("postgresql://one,two/inbox?port=5433&target_session_attrs=read-write")
        #expect(address.hosts == [.init(name: "one", port: "5433"), .init(name: "two", port: "5433")])
        let words = Dictionary(uniqueKeysWithValues: address.keywords(for: address.hosts[1], .init()))
        #expect(words["host"] == "two" && words["port"] == "5433" && words["dbname"] == "inbox")
        #expect(words["target_session_attrs"] == "read-write")
        #expect(words["application_name"] == "belfry")
        #expect(words["options"]?.contains("-c statement_timeout=20000") == true)
    }

    @Test func `the options of the URL come before ours`() throws {
        let address = try PostgresAddress("postgres://h/?options=-c%20work_mem%3D8MB&application_name=a")
        let words = Dictionary(uniqueKeysWithValues: address.keywords(for: address.hosts[0], .init()))
        #expect(words["options"]?.hasPrefix("-c work_mem=8MB -c ") == true)
        #expect(words["application_name"] == "a")
    }

    @Test(arguments: [
        "host=one password=s3cret", "postgres://u:p@s3cret@host/db", "postgres://u:s3cret/x@host/db?nothing=s3cret",
        "postgres://u:%zzs3cret@host/db", "postgres://one,two/db?port=1,2,3",
        "postgres://one/db?target_session_attrs=any", "postgres://u:p@[s3cret/db",
    ])
    func `what is no address is told without quoting it`(url: String) throws {
        let fault = try #require(throws: PostgresAddress.Fault.self) { try PostgresAddress(url) }
        #expect(!fault.description.contains("s3cret"), "\(fault)")
    }
}
