import Glibc

extension BenchResult.Machine {
    /// The one on which the tool runs.
    static var current: BenchResult.Machine {
        var name = utsname()
        uname(&name)
        let kernel = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return BenchResult.Machine(cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)), kernel: kernel)
    }
}
