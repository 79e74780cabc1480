#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whose the files of a data folder are.
enum FileOwner {
    /// Gives a file of the folder to the folder's owner if this process is root: it is a command beside a server that
    /// runs as that owner, and could not open root's files. Where the file system refuses, they stay root's.
    static func give(_ descriptor: CInt, toOwnerOf folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
}
