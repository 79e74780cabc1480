#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that has its name only once it is whole and on the disk. Until then it is `….partial-` and a random number
/// beside it, for nobody else's eyes.
///
/// The random number makes the file nobody else's, and with no lock on it, since a file system over the network may not
/// tell such a lock from SQLite's own. Nor can SQLite find a journal there that a killed process has left, and roll it
/// back into what is written now.
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

    /// Gives the file its name. A power cut leaves it whole or not there.
    consuming func finish() throws(BackupError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", path: partialPath, errno: errno) }
        try takeName()
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(call: "open", path: folder, errno: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .system(call: "fsync", path: folder, errno: errno) }
    }

    /// Not as rename(2) alone would, which takes the name from whoever has got it meanwhile.
    private func takeName() throws(BackupError) {
        if link(partialPath, path) == 0 {
            unlink(partialPath)
            return
        }
        guard errno != EEXIST else { throw .exists(path: path) }
        // Some file systems have no hard links. There the name is claimed with an empty file, which is then ours to
        // replace.
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
        // The first is not there any more if the file has got its name; the others are SQLite's, if it was interrupted.
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(partialPath + suffix) }
        close(descriptor)
    }
}
