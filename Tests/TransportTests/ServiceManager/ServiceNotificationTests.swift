import CLinux
import Glibc
import Testing

@testable import Transport

struct ServiceNotificationTests {
    /// A service manager's ear.
    private final class Manager {
        let address: String
        private let descriptor: Int32

        /// - Parameter address: a path, or an abstract name behind `@`.
        init(_ address: String) throws {
            self.address = address
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { path in
                path.copyBytes(from: address.utf8)
                if address.hasPrefix("@") { path[0] = 0 }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + address.utf8.count)
            let code = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            guard code == 0 else { throw SystemCallError("bind", errno: errno, subject: address) }
        }

        deinit {
            close(descriptor)
            if address.hasPrefix("/") { unlink(address) }
        }

        /// The next message that was said and not heard yet; nil for none.
        func hear() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    @Test(arguments: ["/tmp/belfry-notify-", "@belfry-notify-"])
    func `the service manager hears how the process is doing`(prefix: String) throws {
        let manager = try Manager("\(prefix)\(getpid())")
        let service = try #require(ServiceNotification(environment: ["NOTIFY_SOCKET": manager.address]))
        service.ready()
        #expect(manager.hear() == "READY=1")
        service.status("draining\nREADY=1")
        #expect(manager.hear() == "STATUS=draining READY=1")
        service.stopping()
        #expect(manager.hear() == "STOPPING=1")
        service.watchdog()
        #expect(manager.hear() == "WATCHDOG=1")
        service.reloading()
        let lines = try #require(manager.hear()).split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        // Of the same clock as the kernel's count since the start.
        let moment = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true && moment > 0)
        #expect(manager.hear() == nil)
    }

    @Test func `nobody is told where nobody listens`() {
        #expect(ServiceNotification(environment: [:]) == nil)
        for address in ["", "relative", "@", "/", "vsock:2:1", "/" + String(repeating: "x", count: 108)] {
            #expect(ServiceNotification(environment: ["NOTIFY_SOCKET": address]) == nil)
        }
        // An ear that is gone is no error.
        ServiceNotification(environment: ["NOTIFY_SOCKET": "/tmp/belfry-notify-nobody"])?.ready()
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "10000000"], Duration.seconds(5)),
        (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "\(getpid())"], .seconds(5)),
        (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"], nil),
        (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
    ])
    func `a watchdog is fed twice as often as it asks`(environment: [String: String], interval: Duration?) {
        let environment = environment.merging(["NOTIFY_SOCKET": "@x"]) { $1 }
        #expect(ServiceNotification(environment: environment)?.watchdogInterval == interval)
    }
}
