import Testing

@testable import Gateway
@testable import Postgres

@Suite struct `Waiting for a database` {
    private let start = ContinuousClock.now

    @Test(arguments: [
        "could not translate host name \"db\" to address: Name or service not known",
        "connection to server at \"127.0.0.1\", port 5432 failed: Connection refused",
        "connection to server at \"db\", port 5432 failed: FATAL:  57P03: the database system is starting up",
        "connection to server at \"db\", port 5432 failed: FATAL:  53300: sorry, too many clients already",
        "connection to server at \"db\", port 5432 failed: session is read-only",
    ])
    func `goes on for half a minute where time may mend it`(_ reason: String) {
        var wait = DatabaseWait(from: start)
        let failure = PostgresFailure(connecting: reason)
        #expect(wait.judge(failure, at: start) == .tryAgain(isNews: true))
        #expect(wait.judge(failure, at: start + .seconds(29)) == .tryAgain(isNews: false))
        #expect(wait.judge(failure, at: start + .seconds(30)) == .giveUp)
    }

    @Test(arguments: [
        "connection to server at \"db\", port 5432 failed: FATAL:  28P01: password authentication failed for user \"b\"",
        "connection to server at \"db\", port 5432 failed: FATAL:  3D000: database \"belfry\" does not exist",
        "connection to server at \"db\", port 5432 failed: FATAL:  28000: no pg_hba.conf entry for host",
    ])
    func `ends at once where an operator has to mend it, with advice`(_ reason: String) {
        var wait = DatabaseWait(from: start)
        let failure = PostgresFailure(connecting: reason)
        #expect(wait.judge(failure, at: start) == .giveUp)
        #expect(failure.advice.hasPrefix("check the user") || failure.advice.hasPrefix("create the database"))
    }

    @Test func `tells each reason once`() {
        var wait = DatabaseWait(from: start)
        let (refused, starting) = (
            PostgresFailure(connecting: "Connection refused"),
            PostgresFailure(connecting: "FATAL:  57P03: the database system is starting up")
        )
        #expect(wait.judge(refused, at: start) == .tryAgain(isNews: true))
        #expect(wait.judge(starting, at: start) == .tryAgain(isNews: true))
        #expect(wait.judge(starting, at: start) == .tryAgain(isNews: false))
    }
}
