import Inbox
import JSON
import Logging
import Push
import Testing

@testable import Gateway

/// The log's lines about a lane.
struct LaneReportsTests {
    private let lines = JSONLogHandlerTests.Lines()
    private let job: PushJob
    private var reports: LaneReports

    init() throws {
        job = try #require(try PushJob.numbered(1...1).first)
        let lines = lines
        var logger = Logger(label: "belfry") { _ in JSONLogHandler { lines.append($0) } }
        logger.logLevel = .notice
        reports = LaneReports(.apns, logger: logger, metrics: Metrics().pushes(of: .apns))
    }

    private func told() throws -> [JSONObject] { try lines.all.map { try #require(JSONValue(parsing: $0).object) } }

    private mutating func fail(_ reason: String?, scope: Verdict.Scope = .provider, after seconds: Int = 0) {
        let now = Timestamp.noon + .seconds(seconds)
        let verdict = Verdict.busy(retryAfter: nil, scope: scope, cause: reason.map { NoAnswer(reason: $0) })
        reports.note(verdict, .retry(at: now + .seconds(10)), of: job, at: now)
    }

    @Test mutating func `a crowd of pushes that fail for one reason is one line, with the reason, at the first`() throws
    {
        fail("cannot connect: Connection refused")
        #expect(try told().map { $0["reason"] } == ["cannot connect: Connection refused"])
        for second in 0..<50 { fail("cannot connect: Connection refused", after: second) }
        #expect(try told().count == 1)
        #expect(reports.failures.last?.at == .noon + .seconds(49))
    }

    @Test mutating func `a failure of one push is told like one of all, and remembered as what it was`() throws {
        fail("cannot connect: there is no such host", scope: .device)
        #expect(try told().map { $0["reason"] } == ["cannot connect: there is no such host"])
        #expect(reports.failures.last?.scope == .device)
    }

    @Test mutating func `a provider that fails by its own word leaves no reason of ours`() throws {
        fail(nil)
        #expect(lines.all == [])
        #expect(reports.failures.last == nil)
    }

    @Test(arguments: [true, false])
    mutating func `the line about a pause has the reason, unless the provider said something since`(isLast: Bool) throws
    {
        var machine = LaneMachine(LaneMachine.Limits())
        machine.expect(.noon)
        _ = machine.next(at: .noon)
        machine.leased(1, nextDue: nil, at: .noon)
        guard case .send(let ticket) = machine.next(at: .noon) else {
            Issue.record("nothing to send")
            return
        }
        machine.answered(ticket, .fails(retryAfter: .seconds(600)), at: .noon, jitter: 0)
        fail("connection lost")
        if !isLast { fail(nil) }
        reports.tell(machine, at: .noon)
        let pause = try #require(try told().last)
        #expect(pause["until"] != nil)
        #expect(pause["reason"] == (isLast ? "connection lost" : nil))
    }

    @Test mutating func `a key that is refused is an alarm, once, with the service's word`() throws {
        for second in 0..<50 {
            let now = Timestamp.noon + .seconds(second)
            reports.note(.keyRefused("InvalidProviderToken"), .retry(at: now + .seconds(10)), of: job, at: now)
        }
        let lines = try told()
        #expect(lines.map { $0["level"] } == ["error"])
        #expect(lines.map { $0["reason"] } == ["InvalidProviderToken"])
        #expect(reports.failures.last?.cause.obstacle == .refusedKey)
    }

    @Test func `a line about one push names the app of its person, if that has a name`() throws {
        let golf = try #require(AppName("golf"))
        let lines = lines
        var logger = Logger(label: "belfry") { _ in JSONLogHandler { lines.append($0) } }
        logger.logLevel = .debug
        var reports = LaneReports(.apns, logger: logger, metrics: Metrics().pushes(of: .apns))
        for app in [golf, .unnamed] {
            let job = try #require(try PushJob.numbered(1...1, in: app).first)
            reports.note(.accepted, .finish, of: job, at: .noon)
            reports.note(.deviceGone(since: nil), .forgetDevice, of: job, at: .noon)
            reports.note(.accepted, .abandon(reason: "expired"), of: job, at: .noon)
        }
        #expect(try told().map { $0["app"] } == ["golf", "golf", "golf", nil, nil, nil])
        #expect(try told().allSatisfy { $0["notification"] == "c" })
    }
}
