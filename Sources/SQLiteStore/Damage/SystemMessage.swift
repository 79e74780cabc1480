#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's words for an error number, together with the number for those who look it up.
enum SystemMessage {
    static func of(_ errno: Int32) -> String { "\(String(cString: strerror(errno))) (errno \(errno))" }
}
