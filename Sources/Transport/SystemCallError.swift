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
        let reason = String(cString: strerror(errno))
        return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
