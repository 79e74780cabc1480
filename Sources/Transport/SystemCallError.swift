import Glibc

/// A system call that failed, with what an operator needs to find out why.
package struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32
    /// What the call was about: an address or a path.
    package let subject: String

    package init(_ call: String, errno: Int32, subject: String = "") {
        self.call = call
        self.errno = errno
        self.subject = subject
    }

    package var description: String {
        // It has errors of its own, which are kept as this one.
        let isUnknownHost = call == "getaddrinfo" && errno == ENOENT
        let reason = isUnknownHost ? "there is no such host" : String(cString: strerror(errno))
        return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
