import Inbox
import JSON
import Testing

struct UserProfileTests {
    @Test func `the members that Belfry goes by are read, and all of it is kept`() throws {
        let json: JSONValue = [
            "locale": "pt-BR", "zone": "Europe/Berlin", "email": "Ada@Example.com", "firstName": "Ada",
            "tags": [1, nil],
        ]
        let profile = try UserProfile(json: json)
        #expect(profile.reader == Reader(locale: "pt-BR", zone: "Europe/Berlin"))
        #expect(profile.email == "Ada@Example.com")
        #expect(.object(profile.json) == json)
        #expect(UserProfile(stored: profile.json) == profile)
        #expect(try UserProfile(json: ["locale": nil]).locale == nil)
    }

    static let mistakes: [(json: JSONValue, pointer: String, message: String)] = [
        ([], "", "expected an object, found an array"),
        (["locale": 7], "/locale", "expected a string, found a number"),
        (["locale": "no such tag"], "/locale", "expected a language tag (BCP 47) such as pt-BR"),
        (
            ["zone": "Europe/Berln"], "/zone",
            "expected a name of the time zone database such as Europe/Berlin; did you mean \"Europe/Berlin\"?"
        ),
        (["email": "ada"], "/email", "expected an address such as ada@example.com"),
        (["email": "@example.com"], "/email", "expected an address such as ada@example.com"),
        (["email": "ada@"], "/email", "expected an address such as ada@example.com"),
        (["email": "ada b@example.com"], "/email", "expected an address such as ada@example.com"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is told with its place`(_ json: JSONValue, _ pointer: String, _ message: String) throws {
        let problem = try #require(throws: EventProblem.self) { try UserProfile(json: json) }
        #expect(problem.pointer == pointer)
        #expect(problem.message == message)
    }
}
