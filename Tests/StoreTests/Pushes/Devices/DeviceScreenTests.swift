import Inbox
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct DeviceScreenTests {
    @Test func `a screen shows what has its own id, and what stands under an id that others share`() {
        let screen = DeviceScreen([
            (7, nil), (8, "room"), (9, "room"), (10, NotificationID(inbox: 1, sequence: 3).text),
        ])
        #expect(screen.shows(NotificationID(inbox: 1, sequence: 7).text))
        #expect(screen.shows("room"))
        #expect(screen.shows(NotificationID(inbox: 1, sequence: 3).text))
        #expect(!screen.shows(NotificationID(inbox: 1, sequence: 8).text), "it stands under another id")
        #expect(!screen.shows(NotificationID(inbox: 1, sequence: 10).text), "it stands under another one's id")
        #expect(!screen.shows("other"))
        #expect(!DeviceScreen().shows("room"))
    }

    @Test func `ids are one only with the same octets`() {
        let screen = DeviceScreen([(1, "caf\u{E9}")])
        #expect(screen.shows("caf\u{E9}"))
        #expect(!screen.shows("cafe\u{301}"))
    }
}
