import Inbox
import Testing

@testable import Gateway

struct ConsoleLoginsTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)
    private let owner = ConsoleOperator(name: "Ana", way: .password)

    @Test func `a login lasts for its time, and ends sooner when asked to`() {
        var logins = ConsoleLogins()
        logins.begin("one", of: owner, at: start)
        logins.begin("two", of: owner, at: start)
        #expect(logins.owner(of: "one", at: start + ConsoleLogins.lifetime - .milliseconds(1)) == owner)
        #expect(logins.owner(of: "one", at: start + ConsoleLogins.lifetime) == nil)
        #expect(logins.owner(of: "three", at: start) == nil)
        logins.end("two")
        #expect(logins.owner(of: "two", at: start) == nil)
    }

    @Test func `beyond the largest number of logins the oldest one ends`() {
        var logins = ConsoleLogins()
        for number in 0...ConsoleLogins.maximumCount {
            logins.begin("\(number)", of: owner, at: start + .seconds(number))
        }
        let now = start + .seconds(ConsoleLogins.maximumCount)
        #expect(logins.owner(of: "0", at: now) == nil)
        #expect(logins.owner(of: "1", at: now) == owner)
        #expect(logins.owner(of: "\(ConsoleLogins.maximumCount)", at: now) == owner)
    }
}
