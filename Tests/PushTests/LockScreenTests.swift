import Inbox
import JSON
import Push
import Testing

struct LockScreenTests {
    private func push(
        _ title: String?, _ body: String? = nil, badge: Int64? = nil, thread: String? = nil, id: String? = nil,
        withdrawn: [String] = [], device: String = "a1"
    ) -> ShownPush {
        ShownPush(
            device: device, title: title, body: body, badge: badge, thread: thread, collapseID: id, data: [:],
            withdrawn: withdrawn)
    }

    private func screen(_ pushes: [ShownPush]) -> LockScreen {
        var screen = LockScreen()
        for (index, push) in pushes.enumerated() { screen.apply(push, at: now + .seconds(index)) }
        return screen
    }

    @Test func `pushes are shown newest first, and the badge is the last number that one brought`() {
        let screen = screen([push("one", badge: 1), push("two", badge: 2), push("three")])
        #expect(screen.cards.map(\.title) == ["three", "two", "one"])
        #expect(screen.badge == 2)
        #expect(screen.cards.last?.at == now)
    }

    @Test func `a push with the id of one that is there replaces it and moves to the front`() {
        let screen = screen([push("1 photo", id: "x"), push("a like", id: "y"), push("2 photos", id: "x")])
        #expect(screen.cards.map(\.title) == ["2 photos", "a like"])
        #expect(screen.cards.map(\.pushes) == [2, 1])
        #expect(screen.cards.first?.at == now + .seconds(2))
    }

    @Test func `pushes without an id replace nothing`() {
        #expect(screen([push("one"), push("one")]).cards.count == 2)
    }

    @Test func `withdrawn notifications vanish, and no others`() {
        let screen = screen([
            push("one", id: "x"), push("two", id: "y"), push("three"), push(nil, badge: 1, withdrawn: ["x", "z"]),
        ])
        #expect(screen.cards.map(\.title) == ["three", "two"])
        #expect(screen.badge == 1)
    }

    @Test func `a push that withdraws its own id shows itself`() {
        let screen = screen([push("old", id: "x"), push("new", id: "x", withdrawn: ["x"])])
        #expect(screen.cards.map(\.title) == ["new"])
        #expect(screen.cards.map(\.pushes) == [1])
    }

    @Test(arguments: [nil, ""] as [String?])
    func `a push with nothing to read only sets the badge`(text: String?) {
        let screen = screen([push("one", id: "x"), push(text, text, badge: 0, id: "x")])
        #expect(screen.cards.map(\.title) == ["one"])
        #expect(screen.badge == 0)
    }

    @Test func `a body alone is enough to be seen`() {
        #expect(screen([push(nil, "text")]).cards.map(\.body) == ["text"])
    }

    @Test func `cards of one thread are stacked, the stack with the newest card first`() {
        let screen = screen([
            push("a1", thread: "a"), push("n1"), push("b1", thread: "b"), push("n2"), push("a2", thread: "a"),
        ])
        #expect(screen.stacks.map(\.thread) == ["a", nil, "b"])
        #expect(screen.stacks.map { $0.cards.map(\.title) } == [["a2", "a1"], ["n2", "n1"], ["b1"]])
    }

    @Test func `the oldest cards go beyond the limit`() {
        var screen = LockScreen(maximumCards: 2)
        for title in ["one", "two", "three"] { screen.apply(push(title), at: now) }
        #expect(screen.cards.map(\.title) == ["three", "two"])
    }

    @Test func `a phone is an address at a provider, and the ones without a push for longest are forgotten`() {
        var screens = LockScreens(maximumPhones: 2)
        screens.apply(push("one", device: "a"), from: .apns, at: now)
        screens.apply(push("two", device: "a"), from: .fcm, at: now)
        screens.apply(push("three", device: "a"), from: .apns, at: now)
        screens.apply(push("four", device: "b"), from: .apns, at: now)
        #expect(
            screens.phones == [.init(provider: .apns, device: "b"), .init(provider: .apns, device: "a")])
        #expect(screens[.init(provider: .apns, device: "a")]?.cards.map(\.title) == ["three", "one"])
        #expect(screens[.init(provider: .fcm, device: "a")] == nil)
    }

    @Test func `its JSON has what the page draws`() throws {
        var screens = LockScreens()
        screens.apply(push("</script>", "b", badge: 3, thread: "t", id: "x", device: "d"), from: .webpush, at: now)
        var json = JSONWriter()
        screens.write(to: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"[{"provider":"webpush","device":"d","badge":3,"activities":[],"#
                + #""stacks":[{"thread":"t","cards":[{"#
                + #""title":"</script>","body":"b","collapseID":"x","data":{},"at":1764000000000,"pushes":1}]}]}]"#)
    }
}
