import Testing

@testable import Postgres

@Suite(.needsServer, .timeLimit(.minutes(2))) struct NotificationTests {
    @Test func `notifications come, also after the connection was lost`() async throws {
        var options = PostgresOptions()
        options.applicationName = "listens"
        let listener = Listener(try TestServer.address(), options, channels: ["Some \"Channel\"", "other"])
        defer { listener.stop() }
        #expect(await listener.next() == "listening")
        try tell("Some \"Channel\"", "a")
        #expect(await listener.next() == "Some \"Channel\": a")
        let longest = String(repeating: "x", count: PostgresConnection.maximumPayload)
        try tell("other", longest)
        #expect(await listener.next() == "other: \(longest)")

        try TestServer.connection().terminate("listens", waitingFor: "ClientRead")
        #expect(await listener.next() == "lost")
        #expect(await listener.next() == "listening")
        try tell("other", "b")
        #expect(await listener.next() == "other: b")
    }

    @Test func `a notification comes with the commit, or not at all`() async throws {
        let listener = Listener(try TestServer.address(), .init(), channels: ["committed"])
        defer { listener.stop() }
        #expect(await listener.next() == "listening")
        do {
            let connection = try TestServer.connection()
            #expect(throws: CancellationError.self) {
                try connection.transaction {
                    try connection.notify("committed", "undone")
                    try connection.settle()
                    throw CancellationError()
                }
            }
            try connection.transaction { try connection.notify("committed", "done") }
        }
        #expect(await listener.next() == "committed: done")
    }

    @Test func `a payload that is too long is refused before it is sent`() throws {
        let connection = try TestServer.connection()
        let payload = String(repeating: "x", count: PostgresConnection.maximumPayload + 1)
        #expect(try failure { try connection.notify("other", payload) }.meaning == .other)
        #expect(connection.isOpen)
    }

    private func tell(_ channel: String, _ payload: String) throws {
        let connection = try TestServer.connection()
        try connection.notify(channel, payload)
        try connection.settle()
    }
}
