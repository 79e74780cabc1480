import CLinux
import Glibc

/// The number of processors that this process may keep busy at once.
///
/// Fewer than the machine has under `taskset`, in a cpuset, and in a container with a quota of processor time.
package enum UsableProcessors {
    /// The folder of control groups of version 2 (cgroups(7)); quotas of version 1 are ignored.
    private static let groups = "/sys/fs/cgroup"
    /// A quota is two numbers, and the list of a process's groups has some dozen lines at most.
    private static let maximumBytes = 16 << 10

    /// At least one. Holds for the calling thread and the threads it starts later; a quota may change afterwards.
    package static var count: Int {
        let allowed = Int(belfry_allowed_processors())
        return count(
            allowed: allowed > 0 ? allowed : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))),
            membership: text(of: "/proc/self/cgroup") ?? "", quota: { text(of: groups + $0 + "/cpu.max") })
    }

    /// - Parameters:
    ///   - allowed: the number of processors that the scheduler may use.
    ///   - membership: the text of `/proc/self/cgroup`.
    ///   - quota: the text of a group's `cpu.max`, by the group's path without a slash at its end; nil for a group
    ///     without
    ///     the file, which limits nothing.
    static func count(allowed: Int, membership: String, quota: (_ group: String) -> String?) -> Int {
        // A process must keep the quotas of its group and of all groups around it.
        let quotas = ancestors(inMembership: membership).compactMap { quota($0).flatMap(processors(inQuota:)) }
        return max(min(allowed, quotas.min() ?? allowed), 1)
    }

    /// The process's group in the hierarchy of version 2, whose number is 0, and all groups around it.
    private static func ancestors(inMembership text: String) -> [String] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        let names = line.dropFirst("0::/".count).split(separator: "/")
        return (0...names.count).map { count in names.prefix(count).map { "/" + $0 }.joined() }
    }

    /// A quota is microseconds of processor time within a period: more than the period means more than one processor.
    /// Rounded up, because a thread needs a whole processor to use a part. Nil for `max`, which sets no limit.
    private static func processors(inQuota text: String) -> Int? {
        let numbers = text.split { $0 == " " || $0 == "\n" }.map { Int($0) }
        guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0 else {
            return nil
        }
        return (time - 1) / period + 1
    }

    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: maximumBytes)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
