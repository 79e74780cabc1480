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

    /// Why, without what the call was about.
    package var reason: String {
        switch (call, errno) {
        // It has errors of its own, which are kept as these.
        case ("getaddrinfo", ENOENT): "there is no such host"
        case ("getaddrinfo", EAGAIN): "the name service does not answer"
        case _: String(cString: strerror(errno))
        }
    }

    package var description: String {
        subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
