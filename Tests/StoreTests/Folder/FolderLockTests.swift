import Foundation
import Glibc
import Testing

@testable import SQLiteStore
@testable import Store

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

/// Contents of a folder that must not be believed or followed.
struct DataFolderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-folder-\(UUID().uuidString)")
        .path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    /// Removes the folder, whatever a test has made of it.
    private func ending(_ body: () throws -> Void) throws {
        let result = Result { try body() }
        try FileManager.default.removeItem(atPath: folder)
        try result.get()
    }

    @Test(arguments: [0o777, 0o1777, 0o702]) func `a folder that all may write is refused, and nothing is put there`(
        mode: Int
    ) throws {
        try ending {
            #expect(chmod(folder, mode_t(mode)) == 0)
            #expect(throws: StoreOpenError.folderOpenToAll(path: folder)) { try FolderLock(folder: folder) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.isEmpty)
        }
    }

    @Test(arguments: [0o700, 0o750, 0o755, 0o770]) func `a folder of its owner, or of a group, is taken`(mode: Int)
        throws
    {
        try ending {
            #expect(chmod(folder, mode_t(mode)) == 0)
            #expect(throws: Never.self) { try FolderLock(folder: folder).release() }
        }
    }

    @Test(arguments: [
        "belfry.lock", "belfry.sqlite", "belfry.sqlite-wal", "belfry.sqlite-shm", "belfry.sqlite-journal",
    ]) func `a symbolic link in a file's place is refused, wherever it leads`(name: String) throws {
        try ending {
            let (target, path) = ("\(folder)/elsewhere", "\(folder)/\(name)")
            for exists in [false, true] {
                if exists { try "kept".write(toFile: target, atomically: false, encoding: .utf8) }
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
                #expect(throws: StoreOpenError.notAFile(path: path)) { try FolderLock(folder: folder) }
                #expect(FileManager.default.fileExists(atPath: target) == exists)
                let text = exists ? try String(contentsOfFile: target, encoding: .utf8) : "kept"
                #expect(text == "kept")
                try FileManager.default.removeItem(atPath: path)
            }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: StoreOpenError.notAFile(path: path)) { try FolderLock(folder: folder) }
        }
    }
}
