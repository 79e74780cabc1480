import Foundation
import Push
import Testing

@testable import Gateway

@Suite struct `A bearer token` {
    @Test(arguments: [
        ("Bearer abc.def.ghi", "abc.def.ghi"), ("bearer x", "x"), ("BEARER\t x ", "x"), ("Bearer", nil),
        ("Bearer ", nil), ("Basic dTpw", nil), ("Bearer a b", nil), ("", nil), ("Bearerx", nil),
    ])
    func `is taken from the Authorization header`(_ value: String, _ expected: String?) {
        #expect(BearerToken(authorization: value)?.text == expected)
    }

    @Test(arguments: [
        (["belfry.v1", "bearer.YWJjLmRlZi5naGk"], "abc.def.ghi"), (["bearer.abc.def.ghi", "belfry.v1"], "abc.def.ghi"),
        (["bearer.b3BhcXVl"], "opaque"), (["belfry.v1"], nil), (["bearer."], nil), (["bearer.!!"], nil),
        (["bearer.a.b"], nil), (["bearer._w"], nil), (["Bearer.YQ"], nil), ([], nil),
    ])
    func `is taken from the offered subprotocols`(_ offers: [String], _ expected: String?) {
        #expect(BearerToken(subprotocols: offers)?.text == expected)
    }

    @Test func `does not show itself`() throws {
        let token = try #require(BearerToken("abc.def.ghi"))
        var dumped = "\(token) \(String(reflecting: token)) \(["t": token])"
        dump(token, to: &dumped)
        #expect(!dumped.contains("abc"))
    }

    @Test func `is encoded like everybody else's base64url, at every length`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let text = Base64URL.encode(bytes)
            #expect(text == TestIssuer.base64URL(bytes))
            #expect(Base64URL.decode(text.utf8) == bytes)
        }
    }

    @Test func `is not read where any one letter is none of the alphabet's`() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for count in [2, 3, 4, 6, 7, 8, 43] {
            for place in 0..<count {
                for wrong in UInt8.min...UInt8.max {
                    var letters = [UInt8](repeating: UInt8(ascii: "A"), count: count)
                    letters[place] = wrong
                    guard !alphabet.contains(wrong) else { continue }
                    #expect(Base64URL.decode(letters) == nil, "\(wrong) at \(place) of \(count)")
                }
            }
        }
    }

    @Test func `is read the same from wherever its letters lie`() {
        let text = "xAQIDBAUGBwx"
        let expected: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
        let letters = text.dropFirst().dropLast()
        #expect(Base64URL.decode(letters.utf8) == expected)
        #expect(Base64URL.decode(Array(letters.utf8)[...]) == expected)
        #expect(Base64URL.decode(letters.utf8.lazy.map { $0 }) == expected)
    }

    @Test(arguments: ["A", "AAAAA", "AB", "AAB", "AA==", "A A", "+A", "/A", "é"])
    func `has one spelling only`(_ text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
