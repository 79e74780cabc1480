import Testing

@testable import Gateway

struct UUIDTextTests {
    @Test func `each is a random UUID of version 4 in lower case`() {
        let texts = (0..<2_000).map { _ in UUIDText.random() }
        for text in texts {
            let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            #expect(text.wholeMatch(of: form) != nil, "\(text)")
        }
        #expect(Set(texts).count == texts.count)
    }

    @Test func `every digit that is not fixed takes every value`() {
        let texts = (0..<2_000).map { _ in Array(UUIDText.random()) }
        for place in 0..<36 {
            let expected =
                switch place {
                case 8, 13, 18, 23, 14: 1
                case 19: 4
                default: 16
                }
            #expect(Set(texts.map { $0[place] }).count == expected, "place \(place)")
        }
    }
}
