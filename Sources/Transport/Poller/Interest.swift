/// The events that a descriptor is watched for; empty while no handler would act on one.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package static let reading = Interest(rawValue: 1)
    package static let writing = Interest(rawValue: 2)
    /// Reports each event once, until something new comes: the watcher continues until the socket has no more, or takes
    /// no more. Saves the kernel a second look at each ready socket. Only for sockets whose bytes all pass through the
    /// watcher, because it does not know what TLS leaves unread.
    package static let onlyNews = Interest(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
}
