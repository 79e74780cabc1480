import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Transport

@Suite struct ListenerTests {
    /// A folder of this test's own, gone at its end. Short, as a Unix socket's path must be.
    private final class Folder {
        let path: String

        init() throws {
            path = "/tmp/belfry-\(getpid())-\(UInt32.random(in: .min ... .max))"
            guard mkdir(path, 0o700) == 0 else { throw SystemCallError("mkdir", errno: errno, subject: path) }
        }

        deinit {
            // If the file cannot be removed, the system clears it with the folder for temporary files.
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    static let anyPort = SocketAddress.tcp(host: "127.0.0.1", port: 0)

    @Test(arguments: PollerKind.allCases)
    func `port 0 becomes a port that accepts`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let accepted = Journal<Bool>()
        let address = try host.listen { descriptor, _ in
            let flags = fcntl(descriptor, F_GETFL)
            accepted.write(flags & O_NONBLOCK != 0 && fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            close(descriptor)
        }
        #expect(address.port != 0)
        let clients = try (0..<5).map { _ in try TestSocket(to: address) }
        // Nonblocking and not for child processes, each of them.
        #expect(try accepted.next(5) == Array(repeating: true, count: 5))
        _ = clients
    }

    @Test func `a taken port is the caller's error`() throws {
        let socket = try Listener.open(Self.anyPort)
        defer { close(socket.descriptor) }
        let expected = SystemCallError("bind", errno: EADDRINUSE, subject: socket.address.description)
        #expect(throws: expected) { try Listener.open(socket.address) }
    }

    @Test(arguments: PollerKind.allCases)
    func `listeners that share a port share its clients`(poller: PollerKind) throws {
        let hosts = [try TestShard(poller), try TestShard(poller)]
        let accepted = Journal<Int>()
        var sockets = [try Listener.open(Self.anyPort, sharingPort: true)]
        sockets.append(try Listener.open(sockets[0].address, sharingPort: true))
        #expect(sockets[0].address == sockets[1].address)
        for (index, (host, socket)) in zip(hosts, sockets).enumerated() {
            try host.run { on in
                _ = Listener(socket, on: on) { descriptor, _ in
                    accepted.write(index)
                    close(descriptor)
                }
            }
        }
        // The kernel deals them out by their ports: all to one of two is as likely as 64 heads in a row.
        let clients = try (0..<64).map { _ in try TestSocket(to: sockets[0].address) }
        #expect(Set(try accepted.next(64)) == [0, 1])
        _ = clients
    }

    @Test(arguments: PollerKind.allCases)
    func `a Unix socket has its mode, and its path goes when it closes`(poller: PollerKind) throws {
        let (folder, host) = (try Folder(), try TestShard(poller))
        let path = folder.path + "/socket"
        let accepted = Journal<Bool>()
        let socket = try Listener.open(.unix(path: path))
        let listener = QueueBound<Listener?>(nil, on: host.shard.queue)
        try host.run { on in
            let made = Listener(socket, on: on) { descriptor, _ in
                accepted.write(true)
                close(descriptor)
            }
            listener.withState { $0 = made }
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
        let client = try TestSocket(to: .unix(path: path))
        #expect(try accepted.next())
        #expect(try client.readToEnd().isEmpty)
        try host.run { on in listener.withState { $0 }?.close(on) }
        #expect(lstat(path, &status) == -1 && errno == ENOENT)
        #expect(throws: SystemCallError("connect", errno: ENOENT, subject: path)) {
            try TestSocket(to: .unix(path: path))
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `a duplicate accepts too and leaves the path alone`(poller: PollerKind) throws {
        let (folder, host) = (try Folder(), try TestShard(poller))
        let path = folder.path + "/socket"
        let socket = try Listener.open(.unix(path: path))
        defer { close(socket.descriptor) }
        let copy = try socket.duplicate()
        let accepted = Journal<Bool>()
        try host.run { on in
            _ = Listener(copy, on: on) { descriptor, _ in
                accepted.write(true)
                close(descriptor)
            }
        }
        let client = try TestSocket(to: .unix(path: path))
        #expect(try accepted.next())
        try host.stop()
        #expect(access(path, F_OK) == 0)
        _ = client
    }

    @Test func `a Unix socket tells who listens, and who does not`() throws {
        let folder = try Folder()
        let path = folder.path + "/socket"
        #expect(SocketOwner.process(at: path) == nil)
        let socket = try Listener.open(.unix(path: path))
        #expect(SocketOwner.process(at: path) == getpid())
        close(socket.descriptor)
        #expect(SocketOwner.process(at: path) == nil)
    }

    @Test func `a stale socket is replaced`() throws {
        let folder = try Folder()
        let path = folder.path + "/socket"
        close(try Listener.open(.unix(path: path)).descriptor)
        #expect(access(path, F_OK) == 0)
        let socket = try Listener.open(.unix(path: path), mode: 0o600)
        defer { close(socket.descriptor) }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        _ = try TestSocket(to: .unix(path: path))
    }

    @Test func `a socket that answers is not replaced`() throws {
        let folder = try Folder()
        let path = folder.path + "/socket"
        let socket = try Listener.open(.unix(path: path))
        defer { close(socket.descriptor) }
        let expected = SystemCallError("bind", errno: EADDRINUSE, subject: path)
        #expect(throws: expected) { try Listener.open(.unix(path: path)) }
        #expect("\(expected)" == "bind \(path): Address already in use")
        _ = try TestSocket(to: .unix(path: path))
    }

    @Test func `a socket whose queue is full counts as one that answers`() throws {
        let folder = try Folder()
        let path = folder.path + "/socket"
        let socket = try Listener.open(.unix(path: path))
        defer { close(socket.descriptor) }
        // Room for one; nobody accepts.
        listen(socket.descriptor, 0)
        let client = try TestSocket(to: .unix(path: path))
        #expect(throws: SystemCallError("bind", errno: EADDRINUSE, subject: path)) {
            try Listener.open(.unix(path: path))
        }
        _ = client
    }

    @Test func `a file that is no socket stays`() throws {
        let folder = try Folder()
        let path = folder.path + "/notes"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SystemCallError("bind", errno: EEXIST, subject: path)) {
            try Listener.open(.unix(path: path))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
    }

    @Test func `a path that is too long is refused before anything is made`() {
        let path = "/tmp/" + String(repeating: "x", count: 108)
        #expect(throws: SystemCallError("bind", errno: ENAMETOOLONG, subject: path)) {
            try Listener.open(.unix(path: path))
        }
    }

    /// Leaves fifty free ones. Descriptors that this process has inherited may lie anywhere among them.
    private static func limitDescriptors() {
        let free = (0..<50).map { _ in open("/dev/null", O_RDONLY) }
        for descriptor in free { close(descriptor) }
        let count = UInt((free.max() ?? 0) + 1)
        var limit = rlimit(rlim_cur: count, rlim_max: count)
        #expect(free.allSatisfy { $0 >= 0 } && setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }

    /// Takes all free descriptors. A thread of the C library or of Dispatch may have one open for a moment, as it looks
    /// at the processors; that one is free later.
    private static func takeFreeDescriptors(_ taken: inout [Int32]) {
        while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
    }

    /// Dispatch has what it needs of descriptors, where none is left for it.
    ///
    /// Dispatch makes one for its timers when the first is set. While work waits for its threads, it looks at these in
    /// `/proc` once a second, and ends a process that has no descriptor for that. So this lets all waiting work begin.
    private static func prepareDispatch() {
        for quality in [DispatchQoS.QoSClass.background, .utility, .default, .userInitiated, .userInteractive] {
            let begun = DispatchSemaphore(value: 0)
            DispatchQueue.global(qos: quality).asyncAfter(deadline: .now() + .milliseconds(1)) { begun.signal() }
            begun.wait()
        }
    }

    /// Clients come until one is taken: while others are told, whoever comes is told, too.
    private static func awaitAcceptance(at address: SocketAddress) throws {
        while try TestSocket(to: address).readToEnd() == Array("full".utf8) {}
    }

    /// In processes of their own, as the limit is the process's.
    @Test func `clients who come near the limit of descriptors are told, and some are left for what is no client`()
        async
    {
        await #expect(processExitsWith: .success) {
            let host = try TestShard(.epoll)
            ListenerTests.limitDescriptors()
            let accepted = Journal<Int32>()
            let socket = try Listener.open(ListenerTests.anyPort)
            try host.run { on in
                _ = Listener(socket, on: on, turnedAway: { Array("full".utf8) }) { descriptor, _ in
                    accepted.write(descriptor)
                    close(descriptor)
                }
            }
            #expect(try TestSocket(to: socket.address).readToEnd().isEmpty)
            _ = try accepted.next()
            let limit = DescriptorLimit.current
            var fillers: [Int32] = []
            while case let filler = open("/dev/null", O_RDONLY), filler >= 0 {
                guard filler < limit - DescriptorLimit.spared(of: limit) else {
                    close(filler)
                    break
                }
                fillers.append(filler)
            }
            for _ in 0..<100 {
                let client = try TestSocket(to: socket.address)
                #expect(try client.readToEnd() == Array("full".utf8))
                let spare = open("/dev/null", O_RDONLY)
                #expect(spare >= 0)
                close(spare)
            }
            #expect(accepted.rest.isEmpty)
            for filler in fillers { close(filler) }
            try ListenerTests.awaitAcceptance(at: socket.address)
            _ = try accepted.next()
        }
    }

    @Test func `where all descriptors are taken clients are told, and others are taken later`() async {
        await #expect(processExitsWith: .success) {
            let host = try TestShard(.epoll)
            let accepted = Journal<Int32>()
            let socket = try Listener.open(ListenerTests.anyPort)
            try host.run { on in
                _ = Listener(socket, on: on, turnedAway: { Array("full".utf8) }) { descriptor, _ in
                    accepted.write(descriptor)
                    close(descriptor)
                }
            }
            ListenerTests.prepareDispatch()
            // It has not heard of this limit, and so spares none.
            ListenerTests.limitDescriptors()
            #expect(try TestSocket(to: socket.address).readToEnd().isEmpty)
            _ = try accepted.next()
            var fillers: [Int32] = []
            for _ in 0..<100 {
                ListenerTests.takeFreeDescriptors(&fillers)
                close(fillers.removeLast())
                let client = try TestSocket(to: socket.address)
                #expect(try client.readToEnd() == Array("full".utf8))
            }
            #expect(accepted.rest.isEmpty)
            for filler in fillers { close(filler) }
            try ListenerTests.awaitAcceptance(at: socket.address)
            _ = try accepted.next()
        }
    }

    @Test func `without even the reserve it waits quietly and accepts when there are descriptors`() async {
        await #expect(processExitsWith: .success) {
            let host = try TestShard(.epoll)
            ListenerTests.prepareDispatch()
            let accepted = Journal<Int32>()
            ListenerTests.limitDescriptors()
            let socket = try Listener.open(ListenerTests.anyPort)
            var fillers: [Int32] = []
            ListenerTests.takeFreeDescriptors(&fillers)
            // It finds none to keep.
            try host.run { on in _ = Listener(socket, on: on) { descriptor, _ in accepted.write(descriptor) } }
            close(fillers.removeLast())
            let client = try TestSocket(to: socket.address)
            let before = clock()
            #expect(throws: Journal<Int32>.NothingCame.self) { try accepted.next(within: .milliseconds(250)) }
            // CPU time: without the pause it would be all of the 250 ms.
            #expect(clock() - before < 100_000)
            for filler in fillers { close(filler) }
            close(try accepted.next())
            #expect(try client.readToEnd().isEmpty)
        }
    }
}
