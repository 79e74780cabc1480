import Testing

@testable import Storage

struct PushJobNumberTests {
    /// As rows lie in the table: badge pushes first, and the last notification that there is room for.
    private static let inOrder: [(device: Int64, notification: Int64)] = [
        (1, -2), (1, -1), (1, 1), (1, 2), (1, (1 << 34) - 3), (2, -2), (2, -1), (2, 1), ((1 << 29) - 1, -2),
        ((1 << 29) - 1, (1 << 34) - 3),
    ]

    @Test func `a number tells its device and its notification`() {
        for (device, notification) in Self.inOrder {
            let number = PushJobNumber(device: device, notification: notification)
            #expect((number.device, number.notification) == (device, notification))
        }
    }

    @Test func `numbers are in the order of devices and of their notifications`() {
        let numbers = Self.inOrder.map { PushJobNumber(device: $0.device, notification: $0.notification).rawValue }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }
}
