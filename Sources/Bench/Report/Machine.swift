import Glibc
import Transport

extension BenchResult.Machine {
    /// The machine of the tool, with the processors that it may use.
    static var current: BenchResult.Machine {
        var name = utsname()
        uname(&name)
        let kernel = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return BenchResult.Machine(cores: UsableProcessors.count, kernel: kernel)
    }
}
