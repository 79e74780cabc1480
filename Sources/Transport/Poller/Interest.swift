/// What a descriptor is watched for; nothing, for as long as nobody would do anything about it.
struct Interest: OptionSet, Sendable {
    let rawValue: UInt8
    static let reading = Interest(rawValue: 1)
    static let writing = Interest(rawValue: 2)
    /// What has been told need not be told again before something new has come: whoever watches goes on until the
    /// socket has no more, or takes no more. Saves the kernel a second look at each socket that was ready. For sockets
    /// whose every byte goes through the watcher's own hands: what TLS leaves unread is not the watcher's to know.
    static let onlyNews = Interest(rawValue: 4)
}
