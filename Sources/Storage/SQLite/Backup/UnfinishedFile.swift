#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that has its name only once it is whole and on the disk. Until then it is `….partial` beside it, for nobody else's
/// eyes: what a killed process has left there is overwritten by the next one.
struct UnfinishedFile: ~Copyable {
    let path: String
    let partialPath: String
    /// Held as long as the file is written: keeps others from writing it too.
    private let descriptor: CInt

    init(path: String) throws(BackupError) {
        let partialPath = path + ".partial"
        guard access(path, F_OK) != 0 else { throw .exists(path: path) }
        let descriptor = open(partialPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", path: partialPath, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .beingWritten(path: partialPath)
        }
        guard ftruncate(descriptor, 0) == 0 else {
            let reason = errno
            close(descriptor)
            throw .system(call: "ftruncate", path: partialPath, errno: reason)
        }
        (self.path, self.partialPath, self.descriptor) = (path, partialPath, descriptor)
    }

    /// Gives the file its name. A power cut leaves it whole or not there.
    consuming func finish() throws(BackupError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", path: partialPath, errno: errno) }
        // Somebody else may have made it meanwhile.
        guard access(path, F_OK) != 0 else { throw .exists(path: path) }
        guard rename(partialPath, path) == 0 else { throw .system(call: "rename", path: path, errno: errno) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(call: "open", path: folder, errno: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .system(call: "fsync", path: folder, errno: errno) }
    }

    deinit {
        // Not there any more if it has got its name.
        unlink(partialPath)
        close(descriptor)
    }
}
