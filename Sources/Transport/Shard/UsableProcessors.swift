import CLinux
import Glibc

/// How many of the machine's processors this process may keep busy at once.
///
/// Fewer than there are under `taskset`, in a cpuset, and in a container with a quota of processor time.
package enum UsableProcessors {
    /// Where control groups of version 2 lie (cgroups(7)); quotas of version 1 are not looked at.
    private static let groups = "/sys/fs/cgroup"
    /// A quota is two numbers, and of a group's membership there are some dozen lines at most.
    private static let maximumBytes = 16 << 10

    /// At least one. Of the thread that asks, and of what it starts afterwards; a quota may change later.
    package static var count: Int {
        let allowed = Int(belfry_allowed_processors())
        return count(
            allowed: allowed > 0 ? allowed : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))),
            membership: text(of: "/proc/self/cgroup") ?? "", quota: { text(of: groups + $0 + "/cpu.max") })
    }

    /// - Parameters:
    ///   - allowed: how many the scheduler chooses from.
    ///   - membership: the text of `/proc/self/cgroup`.
    ///   - quota: the text of a group's `cpu.max`, by the group's path without a slash at its end; nil where there is
    ///     none, as in a group that does not limit time.
    static func count(allowed: Int, membership: String, quota: (_ group: String) -> String?) -> Int {
        // A process is held to the quota of each group that its own lies in.
        let quotas = ancestors(inMembership: membership).compactMap { quota($0).flatMap(processors(inQuota:)) }
        return max(min(allowed, quotas.min() ?? allowed), 1)
    }

    /// The process's group in the one hierarchy of version 2, whose number is 0, and all groups around it.
    private static func ancestors(inMembership text: String) -> [String] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        let names = line.dropFirst("0::/".count).split(separator: "/")
        return (0...names.count).map { count in names.prefix(count).map { "/" + $0 }.joined() }
    }

    /// So many microseconds within a period of so many: more than one where the first is more. Rounded up, since a part
    /// of a processor takes a thread to use it. Nil for `max`, which is no limit.
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
