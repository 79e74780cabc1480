import JSON
import Testing

@testable import Gateway

struct FingerprintTests {
    @Test(arguments: [
        #"{"type":"room_liked","key":"like-1","actor":{"id":"é"},"to":{"owner":["ada"]},"data":{"n":-3,"x":1.5,"q":"\"a\"\n"}}"#,
        #"""
        { "type": "room_liked", "key": "like\u002d1", "actor": {"id": "\u00e9"}, "to": {"owner": ["ada"]},
          "data": {"n": -3, "x": 1.50, "q": "\u0022a\"\n"} }
        """#,
    ])
    func `an event has the fingerprint that earlier versions kept of it, however it is spelled`(_ text: String) throws {
        #expect(try fingerprint(text) == 0x53A8_A279_8D6E_27D0)
    }

    @Test func `another order of members is another event`() throws {
        #expect(try fingerprint(#"{"a":1,"b":2}"#) != fingerprint(#"{"b":2,"a":1}"#))
    }

    private func fingerprint(_ text: String) throws -> UInt64 {
        EventIntake.fingerprint(of: try JSONBody.node(Array(text.utf8)))
    }
}
