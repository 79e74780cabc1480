import JSON
import Testing

@testable import Inbox

struct ActorNameTests {
    @Test(arguments: ["", " ", "\u{200B}", "\u{200B}\u{2060} ", "\u{2800}", "\u{7}", "\u{202E}\u{202C}", "\u{85}"])
    func `an invisible name gives way to the next one`(_ name: String) {
        let actor: JSONObject = ["id": "u1", "username": "ada", "firstName": .string(name)]
        #expect(ActorNameRule.firstName.name(of: actor) == "ada")
        #expect(ActorNameRule.username.name(of: ["id": "u1", "username": .string(name), "firstName": "Ada"]) == "Ada")
        #expect(ActorNameRule.firstName.name(of: ["id": "u1", "firstName": .string(name)]) == "u1")
    }

    @Test(arguments: ["Ada", "ä", "愛", "a\u{200B}", ".", "🐙"])
    func `any other name is printed as it is`(_ name: String) {
        #expect(ActorNameRule.firstName.name(of: ["firstName": .string(name), "username": "ada"]) == name)
    }
}
