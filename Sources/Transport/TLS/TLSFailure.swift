import COpenSSL
import Glibc

/// A failed call of libssl or libcrypto, with the library's own words; they hold no key and no data.
package struct TLSFailure: Error, Hashable, CustomStringConvertible {
    package let call: String
    /// The library's reason ("wrong version number") or the system's.
    package let reason: String
    /// The system's errno, if the socket failed.
    package let errno: Int32?
    /// Whether the peer ended the connection without a reason. That tells nothing about trust on either side.
    package let peerLeft: Bool

    init(_ call: String, reason: String) { self.init(call, reason, errno: nil, peerLeft: false) }

    init(_ call: String, errno: Int32) {
        self.init(call, String(cString: strerror(errno)), errno: errno, peerLeft: false)
    }

    private init(_ call: String, _ reason: String, errno: Int32?, peerLeft: Bool) {
        self.call = call
        self.reason = reason
        self.errno = errno
        self.peerLeft = peerLeft
    }

    static func peerLeft(_ call: String) -> TLSFailure {
        TLSFailure(call, "the peer left", errno: nil, peerLeft: true)
    }

    /// Takes this thread's error queue, and empties it.
    init(_ call: String) {
        let systemError = Glibc.errno
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 { reasons.append(Self.text(of: code)) }
        if reasons.isEmpty { reasons = [String(cString: strerror(systemError))] }
        self.init(call, reason: reasons.joined(separator: "; "))
    }

    /// Takes this thread's error queue after a call that has read a file. The library's own reasons are left out: they tell on
    /// which way it came there ("no certificate assigned"), which misleads.
    ///
    /// - Parameters:
    ///   - file: what it is, with its path.
    ///   - expectation: what would have been right in a file that can be read.
    init(reading file: String, expected expectation: String) {
        var systemError: Int32 = 0
        while case let code = ERR_get_error(), code != 0 {
            systemError = max(systemError, belfry_err_system_error(code))
        }
        self.init(
            file,
            reason: systemError == 0
                ? "expected \(expectation)" : "cannot be read: \(String(cString: strerror(systemError)))")
    }

    package var description: String { "\(call): \(reason)" }

    private static func text(of code: UInt) -> String {
        if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
        let systemError = belfry_err_system_error(code)
        return systemError != 0 ? String(cString: strerror(systemError)) : "error \(code)"
    }
}
