import Inbox
import Testing

struct AppNameTests {
    @Test(arguments: ["golf", "a", "com.example.Golf-2", "7", String(repeating: "a", count: 64)])
    func `a name has letters and digits, and marks between them`(_ text: String) {
        #expect(AppName(text)?.text == text)
    }

    @Test(arguments: [
        "", ".golf", "golf-", "go lf", "g\u{F6}lf", "golf/2", "golf\u{1F}", String(repeating: "a", count: 65),
    ])
    func `any other text is no name`(_ text: String) {
        #expect(AppName(text) == nil)
    }

    @Test func `the unnamed app's keys are the names, as in stores that knew no apps`() {
        for name in ["sarah", "room:7", "uid:1000"] {
            #expect(AppName.unnamed.key(name) == name)
            #expect(AppName(ofKey: name) == .unnamed && AppName.name(ofKey: name) == name)
        }
    }

    @Test(arguments: ["sarah", "e\u{301}", "\u{301}", "a|b", "\u{1F600}"])
    func `a key of a named app tells the app and the name, octet by octet`(_ name: String) throws {
        let golf = try #require(AppName("golf"))
        let key = golf.key(name)
        #expect(AppName(ofKey: key) == golf)
        #expect(Array(AppName.name(ofKey: key).utf8) == Array(name.utf8))
        let user = try #require(UserID(known: name, in: golf))
        #expect((user.app, user.key) == (golf, key))
        #expect(Array(user.name.utf8) == Array(name.utf8))
        #expect(UserID(key: key) == user)
    }

    @Test func `people of one name in two apps are two people`() throws {
        let apps = [AppName.unnamed, try #require(AppName("golf")), try #require(AppName("golf2"))]
        #expect(Set(apps.compactMap { UserID("sarah", in: $0) }).count == 3)
    }

    @Test func `a name that looks like another app's key is a name like any other`() throws {
        let golf = try #require(AppName("golf"))
        for name in [golf.key("sarah"), "\u{1F}\u{1F}sarah", "\u{1F}bob", "\u{1F}"] {
            for app in [AppName.unnamed, golf, try #require(AppName("rooms"))] {
                #expect(UserID(name, in: app) == nil)
                let user = try #require(UserID(known: name, in: app))
                #expect((user.app, user.name, user.key) == (app, name, app.key(name)))
                #expect(user.key != golf.key("sarah") && AppName(ofKey: user.key) == app)
            }
        }
    }
}
