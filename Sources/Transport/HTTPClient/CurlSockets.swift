import CCurl
import CLinux
import Glibc

/// The sockets that libcurl waits for, in one epoll descriptor.
///
/// A single Dispatch source watches that descriptor. A source for each socket would fail: libcurl also waits for
/// descriptors that it closes on its own, those of its name look-ups. If such a descriptor closes before its source's
/// cancel handler runs, the next descriptor of that number loses events.
final class CurlSockets {
    /// A ready socket, and libcurl's bits for its readiness.
    struct Ready {
        let socket: Int32
        let events: Int32
    }

    private static let batch = 64

    let descriptor: Int32
    private var watched: Set<Int32> = []
    private var events = [epoll_event](repeating: epoll_event(), count: CurlSockets.batch)

    init() throws(SystemCallError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemCallError("epoll_create1", errno: errno) }
    }

    /// Watches a socket as libcurl asks; false if the kernel refuses.
    func watch(_ socket: Int32, for interest: Int32) -> Bool {
        var mask: UInt32 = 0
        switch interest {
        case CURL_POLL_IN: mask = EPOLLIN.rawValue
        case CURL_POLL_OUT: mask = EPOLLOUT.rawValue
        case CURL_POLL_INOUT: mask = EPOLLIN.rawValue | EPOLLOUT.rawValue
        default:
            // The socket may be closed already, which also removes it.
            if watched.remove(socket) != nil { _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) }
            return true
        }
        var event = belfry_epoll_event(mask, UInt64(socket))
        let isNew = watched.insert(socket).inserted
        return epoll_ctl(descriptor, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event) == 0
    }

    /// The sockets that are ready now, at most one batch.
    func ready() -> [Ready] {
        let count = epoll_wait(descriptor, &events, Int32(Self.batch), 0)
        return events.prefix(Int(max(count, 0))).map { event in
            var bits: Int32 = 0
            if event.events & EPOLLIN.rawValue != 0 { bits |= CURL_CSELECT_IN }
            if event.events & EPOLLOUT.rawValue != 0 { bits |= CURL_CSELECT_OUT }
            if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { bits |= CURL_CSELECT_ERR }
            return Ready(socket: Int32(truncatingIfNeeded: event.data.u64), events: bits)
        }
    }
}
