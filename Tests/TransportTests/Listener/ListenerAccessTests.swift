import Foundation
import Glibc
import Testing

@testable import Transport

struct ListenerAccessTests {
    private func socketPath() -> String { NSTemporaryDirectory() + "belfry-\(UUID().uuidString.prefix(8)).sock" }

    @Test func `a Unix socket has its group and its mode before anybody can connect`() throws {
        var groups = [gid_t](repeating: 0, count: 64)
        let count = Int(getgroups(Int32(groups.count), &groups))
        // Root may give a file to any group, others to one of their own.
        let group = geteuid() == 0 ? 4_321 : try #require(groups[..<max(count, 0)].first)
        let path = socketPath()
        let listening = try Listener.open(.unix(path: path), mode: 0o640, group: group)
        defer {
            listening.close()
            unlink(path)
        }
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect((status.st_gid, status.st_mode & 0o777) == (group, 0o640))
    }

    @Test func `a group that cannot be set is told, and nobody listens`() throws {
        guard geteuid() != 0 else { return }
        let path = socketPath()
        defer { unlink(path) }
        let error = try #require(throws: SystemCallError.self) {
            try Listener.open(.unix(path: path), group: 0)
        }
        #expect(error.call == "chown")
    }
}
