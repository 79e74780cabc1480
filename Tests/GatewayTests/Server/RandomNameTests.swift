import Testing

@testable import Gateway

struct RandomNameTests {
    private static let digits = Set("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Lengths of inboxes' epochs, sessions' names and cookies.
    @Test(arguments: [15, 20, 40])
    func `a name is never the same twice, and has any of the digits at each place`(_ length: Int) throws {
        let names = (0..<2_000).map { _ in RandomName.make(prefix: "ses_", length: length) }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("ses_") })
        let rests = names.map { Array($0.utf8.dropFirst(4)) }
        try #require(rests.allSatisfy { $0.count == length })
        for place in 0..<length { #expect(Set(rests.map { $0[place] }) == Self.digits) }
    }
}
