import Glibc
import Testing

@testable import Postgres

@Suite(.needsServer) struct ConnectingTests {
    @Test func `what was set holds from the first statement`() throws {
        var options = PostgresOptions()
        options.applicationName = "settings"
        let connection = try TestServer.connection(options)
        for (name, value) in [
            ("statement_timeout", "20s"), ("lock_timeout", "5s"), ("idle_in_transaction_session_timeout", "3s"),
            ("client_min_messages", "error"), ("application_name", "settings"), ("client_encoding", "UTF8"),
        ] {
            #expect(try connection.run("SELECT current_setting($1)", [.text(name)])[0].text(0) == value)
        }
        #expect(connection.serverProcess > 0)
    }

    @Test func `nobody is there, or nobody lets us in`() throws {
        let nobody = try failure { _ = try PostgresConnection(.init("postgres://u:s3cret@/db?host=/nowhere")) }
        #expect(nobody.meaning == .cannotConnect && nobody.isConnectionOver && nobody.sqlState.isEmpty)
        #expect(!nobody.description.contains("s3cret"))

        let admin = try TestServer.connection()
        try admin.run("CREATE ROLE guest LOGIN PASSWORD 'right'")
        try admin.run("CREATE DATABASE guarded")
        let host = try TestServer.address().hosts[0].name
        let guarded = try failure {
            _ = try PostgresConnection(.init("postgres://guest:s3cret@/guarded?host=\(host)"))
        }
        #expect(guarded.meaning == .cannotConnect && guarded.sqlState == "28P01", "\(guarded)")
        #expect(!guarded.description.contains("s3cret"))
        #expect(try PostgresConnection(.init("postgres://guest:right@/guarded?host=\(host)")).isOpen)

        let missing = try failure { _ = try PostgresConnection(.init("postgres://guest@/none?host=\(host)")) }
        #expect(missing.meaning == .cannotConnect && missing.sqlState == "3D000", "\(missing)")
    }

    /// A host that takes connections and says nothing, as one whose disk hangs.
    @Test func `a silent host takes its share of the time, and the next one answers`() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(bind(listener, address, size) == 0 && listen(listener, 5) == 0)
                #expect(getsockname(listener, address, &size) == 0)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let host = try TestServer.address().hosts[0].name.split(separator: "/").joined(separator: "%2F")
        var options = PostgresOptions()
        options.connectTimeout = .milliseconds(300)
        let start = ContinuousClock.now
        let silent = try failure { _ = try PostgresConnection(.init("postgres://belfry@127.0.0.1:\(port)/x"), options) }
        #expect(silent.meaning == .cannotConnect && silent.message == "no session within the time-out")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        options.connectTimeout = .seconds(2)
        let url = "postgres://belfry@127.0.0.1:\(port),%2F\(host)/postgres?port=\(port),5432"
        let two = try PostgresConnection(.init(url.replacing("1:\(port)", with: "1")), options)
        #expect(two.isOpen)
    }
}
