#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that gets its name only once it is whole and on the disk. Until then it lies beside that name as `….partial-`
/// and a random number, readable only by its owner.
///
/// The random number makes the name unique without a lock: on a network file system, such a lock may not be distinct
/// from SQLite's own. SQLite also finds no journal of a killed process under it, which it would roll back into the new
/// file.
struct UnfinishedFile: ~Copyable {
    let path: String
    let partialPath: String
    private let descriptor: CInt

    init(path: String) throws(BackupError) {
        let partialPath = path + ".partial-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
        guard access(path, F_OK) != 0 else { throw .exists(path: path) }
        let descriptor = open(partialPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", path: partialPath, errno: errno) }
        (self.path, self.partialPath, self.descriptor) = (path, partialPath, descriptor)
    }

    func give(toOwnerOf folder: String) { FileOwner.give(descriptor, toOwnerOf: folder) }

    /// Gives the file its name. After a power cut it is whole or absent.
    consuming func finish() throws(BackupError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", path: partialPath, errno: errno) }
        try takeName()
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(call: "open", path: folder, errno: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .system(call: "fsync", path: folder, errno: errno) }
    }

    /// Plain rename(2) would replace a file that has got the name meanwhile.
    private func takeName() throws(BackupError) {
        if link(partialPath, path) == 0 {
            unlink(partialPath)
            return
        }
        guard errno != EEXIST else { throw .exists(path: path) }
        // Some file systems have no hard links. There an empty file claims the name, and is then ours to replace.
        let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard claim >= 0 else {
            throw errno == EEXIST ? .exists(path: path) : .system(call: "open", path: path, errno: errno)
        }
        close(claim)
        guard rename(partialPath, path) == 0 else {
            let reason = errno
            unlink(path)
            throw .system(call: "rename", path: path, errno: reason)
        }
    }

    deinit {
        // The first is gone if the file has its name. The others are SQLite's, if it was interrupted.
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(partialPath + suffix) }
        close(descriptor)
    }
}
