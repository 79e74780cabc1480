#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The owner of a data folder's files.
enum FileOwner {
    /// Gives a file to the folder's owner if this process is root, a command beside a server that runs as that owner.
    /// The server could not open root's files. Where the file system refuses, the file stays root's.
    static func give(_ descriptor: CInt, toOwnerOf folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
}
