import Glibc

/// A failed system call, with the facts that an operator needs to find the cause.
package struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32
    /// The address or path that the call was about.
    package let subject: String

    package init(_ call: String, errno: Int32, subject: String = "") {
        self.call = call
        self.errno = errno
        self.subject = subject
    }

    /// The cause, without the subject of the call.
    package var reason: String {
        switch (call, errno) {
        // getaddrinfo has error codes of its own, which are stored as these.
        case ("getaddrinfo", ENOENT): "there is no such host"
        case ("getaddrinfo", EAGAIN): "the name service does not answer"
        case _: String(cString: strerror(errno))
        }
    }

    package var description: String {
        subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
