import Glibc

/// The space on a disk.
enum DiskSpace {
    /// The free bytes on the disk of a file or folder, for whoever is not root; nil if it does not tell.
    static func free(at path: UnsafePointer<CChar>) -> Int64? {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return nil }
        let (free, isTooMuch) = Int64(clamping: disk.f_bavail).multipliedReportingOverflow(by: Int64(disk.f_frsize))
        return isTooMuch ? nil : free
    }
}
