import Foundation
import Glibc
import Testing

@testable import Storage

struct FolderLockTests {
    @Test func `a folder is free once it is released, though a child process that is being started has its lock open`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-lock-\(UUID().uuidString)").path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        let lock = try FolderLock(folder: folder)
        let childs = try #require(descriptor(of: "\(folder)/belfry.lock").map { dup($0) })
        defer { close(childs) }
        #expect(throws: StoreOpenError.folderInUse(path: folder)) { try FolderLock(folder: folder) }
        lock.release()
        #expect(throws: Never.self) { try FolderLock(folder: folder) }
    }

    /// Of this process, and open.
    private func descriptor(of path: String) -> Int32? {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let found = open.first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        return found.flatMap { Int32($0) }
    }
}
