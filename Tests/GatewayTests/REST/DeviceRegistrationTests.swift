import Inbox
import Push
import Store
import Testing

@testable import Gateway

struct DeviceRegistrationTests {
    private let shelf = DeviceShelf()
    private let sarah: UserID
    private let tom: UserID

    init() throws {
        sarah = try #require(UserID("sarah"))
        tom = try #require(UserID("tom"))
    }

    private func device(_ id: String, app: String = "", at seconds: Int64) -> Device {
        Device(
            id: id, app: app, provider: .fcm, token: "t-\(id)", registeredAt: Timestamp(milliseconds: seconds * 1_000))
    }

    private func register(_ device: Device, for user: UserID? = nil) async throws(StoreError) -> Device {
        let registration = DeviceRegistration(directory: shelf)
        return try await withCheckedContinuation { continuation in
            registration.register(device, for: user ?? sarah) { continuation.resume(returning: $0) }
        }.get()
    }

    private func devices(of user: UserID? = nil) async throws(StoreError) -> [Device] {
        try await withCheckedContinuation { continuation in
            shelf.devices(of: user ?? sarah) { continuation.resume(returning: $0) }
        }.get()
    }

    @Test func `a device is told as it is kept: since when it is known does not change`() async throws {
        _ = try await register(device("phone", at: 1))
        let again = try await register(device("phone", at: 9))
        #expect(again.registeredAt == Timestamp(milliseconds: 1_000))
        #expect(again.lastSeenAt == Timestamp(milliseconds: 9_000))
        #expect(try await devices().count == 1)
    }

    @Test func `the fifty-first device takes the place of the one that was not seen for longest`() async throws {
        for number in 1...50 { _ = try await register(device("d\(number)", at: Int64(number))) }
        _ = try await register(device("d1", at: 60))
        #expect(try await devices().count == 50)
        _ = try await register(device("d51", at: 61))
        let ids = Set(try await devices().map(\.id))
        #expect(ids.count == 50)
        #expect(ids.isSuperset(of: ["d1", "d51", "d3"]) && !ids.contains("d2"))
    }

    @Test func `a new device is never the one that goes, whatever the clocks say`() async throws {
        for number in 1...50 { _ = try await register(device("d\(number)", at: 100 + Int64(number))) }
        _ = try await register(device("late", at: 1))
        let ids = Set(try await devices().map(\.id))
        #expect(ids.contains("late") && ids.count == 50 && !ids.contains("d1"))
    }

    @Test func `one person's devices take no room from another's, and one id may be two apps' device`() async throws {
        for number in 1...50 { _ = try await register(device("d\(number)", at: Int64(number))) }
        _ = try await register(device("d1", at: 70), for: tom)
        _ = try await register(device("d50", app: "golf", at: 71))
        #expect(try await devices(of: tom).count == 1)
        let kept = try await devices()
        #expect(kept.count == 50)
        #expect(Set(kept.filter { $0.id == "d50" }.map(\.app)) == ["", "golf"])
        #expect(!kept.contains { $0.id == "d1" })
    }

    @Test(arguments: [DeviceShelf.Call.register, .devices, .unregister])
    func `a failing store is told, at whichever step`(_ call: DeviceShelf.Call) async throws {
        for number in 1...50 { _ = try await register(device("d\(number)", at: Int64(number))) }
        shelf.fail(call)
        await #expect(throws: StoreError.closed) { _ = try await register(device("d51", at: 99)) }
    }
}
