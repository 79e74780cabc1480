import Inbox
import Testing

struct NotificationIDTests {
    @Test(arguments: [(1, 1), (35, 36), (1_000_000, 7), (.max, .max)] as [(Int64, Int64)])
    func `a notification's id is read as it was written`(_ inbox: Int64, _ sequence: Int64) {
        let id = NotificationID(inbox: inbox, sequence: sequence)
        #expect(NotificationID(id.text) == id)
    }

    @Test func `an id is short and plain`() {
        #expect(NotificationID(inbox: 35, sequence: 36).text == "nz-10")
    }

    @Test(arguments: [0, 1, -1, 35, 36, 1_295, 1_296, -1_296, 46_655, .max, .min] as [Int64])
    func `its numbers are those of base 36`(_ number: Int64) {
        let digits = String(number, radix: 36)
        #expect(NotificationID(inbox: number, sequence: number).text == "n\(digits)-\(digits)")
    }

    @Test(arguments: [
        "", "n", "n1", "n1-", "n-1", "n0-1", "n1-0", "n-1-1", "n1--1", "1-1", "n1-1-1", "nzzzzzzzzzzzzzzzz-1", "n1-1 ",
        "n+1-1", "nA-1", "n01-1",
    ])
    func `another app's id is none of ours`(_ text: String) {
        #expect(NotificationID(text) == nil)
    }
}
