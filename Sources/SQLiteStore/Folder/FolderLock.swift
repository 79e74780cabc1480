import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps two processes, or two stores of one process, from sharing a data folder.
///
/// The kernel drops the lock when the process ends in any way, so a leftover file locks nobody out.
package final class FolderLock: Sendable {
    /// Nil after release.
    private let descriptor: Mutex<Int32?>

    /// Creates the folder if necessary, readable only by its owner, and locks it.
    package init(folder: String) throws(StoreOpenError) {
        try DataFolder.make(folder)
        let path = folder + "/belfry.lock"
        try DataFolder.check(file: path)
        try DataFolder.checkStore(in: folder)
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .folderUnusable(path: folder, call: "open", errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            throw reason == EWOULDBLOCK
                ? .folderInUse(path: folder) : .folderUnusable(path: folder, call: "flock", errno: reason)
        }
        FileOwner.give(descriptor, toOwnerOf: folder)
        self.descriptor = Mutex(descriptor)
    }

    /// Releases the lock; once is enough.
    ///
    /// Closing the file is not enough: a child process that is just starting has it open, too, until it runs its
    /// program.
    package func release() {
        descriptor.withLock { descriptor in
            if let descriptor {
                flock(descriptor, LOCK_UN)
                close(descriptor)
            }
            descriptor = nil
        }
    }

    deinit { release() }
}
