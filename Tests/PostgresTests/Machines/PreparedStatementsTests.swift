import Testing

@testable import Postgres

@Suite struct PreparedStatementsTests {
    @Test func `a text is prepared once for its types`() {
        var statements = PreparedStatements()
        #expect(statements.place(of: "a", [20]) == .new("b1"))
        #expect(statements.place(of: "a", [20]) == .prepared("b1"))
        #expect(statements.place(of: "a", [25]) == .new("b2"))
        statements.forget("a")
        #expect(statements.place(of: "a", [25]) == .new("b3"))
    }

    @Test func `too many texts are not prepared`() {
        var statements = PreparedStatements()
        for number in 0..<PreparedStatements.limit { _ = statements.place(of: "\(number)", []) }
        #expect(statements.place(of: "one more", []) == .unnamed)
        #expect(statements.place(of: "0", []) == .prepared("b1"))
    }
}
