import CCurl
import Dispatch
import Glibc

/// libcurl's multi handle, driven by two Dispatch sources: one for all its sockets, one for its timer.
///
/// Confined to `queue`: ``HTTPClient`` posts to it, and the sources' handlers run on it. The sources keep this object
/// alive until it is closed, because libcurl's callbacks point to it.
final class HTTPClientCore {
    private struct Pending {
        let request: HTTPClientRequest
        let deadline: ContinuousClock.Instant
        let completion: CurlTransfer.Completion
    }

    private let settings: HTTPClientSettings
    private let queue: DispatchQueue
    private let multi: UnsafeMutableRawPointer
    private let sockets: CurlSockets
    private let socketSource: any DispatchSourceRead
    private let timer: any DispatchSourceTimer

    private var requests: HTTPRequestQueue
    private var pending: [Int: Pending] = [:]
    private var lastTicket = 0
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// Handles for later transfers: a new handle costs more than all options together.
    private var idleHandles: [UnsafeMutableRawPointer] = []
    /// The time at which libcurl wants to be called, whatever its sockets do.
    private var curlDeadline: ContinuousClock.Instant?
    private var answers = AnswerLog()

    private enum Phase {
        case open
        case closing([@Sendable () -> Void])
        case closed
    }
    private var phase = Phase.open

    init(_ settings: HTTPClientSettings, queue: DispatchQueue) throws(SystemCallError) {
        // TLS writes with write(2): without this, a server that left would end the process.
        signal(SIGPIPE, SIG_IGN)
        self.settings = settings
        self.queue = queue
        sockets = try CurlSockets()
        guard let multi = curl_multi_init() else {
            Glibc.close(sockets.descriptor)
            throw SystemCallError("curl_multi_init", errno: ENOMEM)
        }
        self.multi = multi
        requests = HTTPRequestQueue(
            maximumInFlight: settings.connectionsPerHost * settings.streamsPerConnection,
            maximumWaiting: settings.waitingRequests)
        socketSource = DispatchSource.makeReadSource(fileDescriptor: sockets.descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        setUp()
    }

    private func setUp() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        belfry_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        belfry_curl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, settings.streamsPerConnection)
        belfry_curl_multi_set_socket_callback(multi, Self.socketChanged)
        belfry_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, this)
        belfry_curl_multi_set_timer_callback(multi, Self.timerChanged)
        belfry_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, this)
        socketSource.setEventHandler { self.socketsAreReady() }
        socketSource.setCancelHandler { self.finishClosing() }
        timer.setEventHandler { self.timerFired() }
        timer.schedule(deadline: .distantFuture)
        socketSource.activate()
        timer.activate()
    }

    // MARK: Requests

    func send(
        _ request: HTTPClientRequest, deadline: ContinuousClock.Instant, completion: @escaping CurlTransfer.Completion
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard case .open = phase else { return completion(.failure(.closed)) }
        lastTicket += 1
        guard requests.enter(lastTicket, deadline: deadline) else { return completion(.failure(.overloaded)) }
        pending[lastTicket] = Pending(request: request, deadline: deadline, completion: completion)
        startTransfers()
        armTimer()
    }

    private func startTransfers() {
        let now = ContinuousClock.now
        for ticket in requests.expire(at: now) {
            pending.removeValue(forKey: ticket)?.completion(.failure(.timedOut))
        }
        while let ticket = requests.start() {
            guard let next = pending.removeValue(forKey: ticket) else { continue }
            start(next, at: now)
        }
    }

    private func start(_ next: Pending, at now: ContinuousClock.Instant) {
        guard let easy = idleHandles.popLast() ?? curl_easy_init() else {
            requests.finish()
            return next.completion(.failure(.overloaded))
        }
        let transfer = CurlTransfer(
            easy: easy, start: now, maximumBytes: settings.responseBytes, completion: next.completion)
        var code = transfer.prepare(next.request, remaining: next.deadline - now, caFile: settings.caFile)
        transfers[easy] = transfer
        if code == CURLE_OK, curl_multi_add_handle(multi, easy) != CURLM_OK { code = CURLE_FAILED_INIT }
        if code != CURLE_OK { end(transfer, code) }
    }

    /// Releases the handle, then tells the caller.
    private func end(_ transfer: CurlTransfer, _ code: CURLcode) {
        let result = transfer.result(code)
        noteConnection(of: transfer, result)
        curl_multi_remove_handle(multi, transfer.easy)
        curl_easy_reset(transfer.easy)
        idleHandles.append(transfer.easy)
        transfers[transfer.easy] = nil
        requests.finish()
        transfer.completion(result)
    }

    /// Shuts down connections that take requests and answer none. libcurl would keep using them, because in HTTP/2 a
    /// request that times out ends its stream only.
    private func noteConnection(of transfer: CurlTransfer, _ result: Result<HTTPClientResponse, HTTPClientError>) {
        var socket = CURL_SOCKET_BAD
        guard belfry_curl_get_socket(transfer.easy, &socket) == CURLE_OK, socket != CURL_SOCKET_BAD else { return }
        switch result {
        case .success:
            answers.answered(socket, at: .now)
        case .failure(.timedOut) where answers.isSilent(socket, since: transfer.start, at: .now):
            // libcurl owns the descriptor, and closes it after the end of the stream.
            shutdown(socket, Int32(SHUT_RDWR))
        case .failure:
            break
        }
    }

    // MARK: Events

    private func socketsAreReady() {
        guard case .open = phase else { return }
        // An event may name a socket that was closed meanwhile: libcurl ignores unknown ones.
        for ready in sockets.ready() {
            var running: Int32 = 0
            curl_multi_socket_action(multi, ready.socket, ready.events, &running)
        }
        finishTransfers()
    }

    private func timerFired() {
        guard case .open = phase else { return }
        if let deadline = curlDeadline, deadline <= .now {
            curlDeadline = nil
            var running: Int32 = 0
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
        finishTransfers()
    }

    private func finishTransfers() {
        var code = CURLE_OK
        while let easy = belfry_curl_next_finished(multi, &code) {
            if let transfer = transfers[easy] { end(transfer, code) }
        }
        startTransfers()
        armTimer()
    }

    private func armTimer() {
        let next = [curlDeadline, requests.earliestDeadline].compactMap { $0 }.min()
        guard let next else { return timer.schedule(deadline: .distantFuture) }
        let delay = max(next - .now, .zero)
        timer.schedule(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), leeway: .milliseconds(1))
    }

    // MARK: Closing

    func close(_ completion: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        switch phase {
        case .closed: return completion()
        case .closing(let others):
            phase = .closing(others + [completion])
            return
        case .open: phase = .closing([completion])
        }
        let waiting = requests.removeAll().compactMap { pending.removeValue(forKey: $0)?.completion }
        let running = transfers.values.map(\.completion)
        for easy in transfers.keys {
            curl_multi_remove_handle(multi, easy)
            curl_easy_cleanup(easy)
        }
        transfers = [:]
        for easy in idleHandles { curl_easy_cleanup(easy) }
        idleHandles = []
        curl_multi_cleanup(multi)
        timer.cancel()
        socketSource.cancel()
        for completion in running + waiting { completion(.failure(.closed)) }
    }

    private func finishClosing() {
        Glibc.close(sockets.descriptor)
        guard case .closing(let completions) = phase else { return }
        phase = .closed
        for completion in completions { completion() }
    }

    // MARK: Calls from libcurl

    private static let socketChanged: belfry_curl_socket_callback = { _, socket, interest, context, _ in
        guard let context else { return -1 }
        let core = Unmanaged<HTTPClientCore>.fromOpaque(context).takeUnretainedValue()
        return core.sockets.watch(socket, for: interest) ? 0 : -1
    }

    /// Only notes the time, because libcurl must not be called from its own callback. The caller of libcurl sets the
    /// timer afterwards.
    private static let timerChanged: belfry_curl_timer_callback = { _, milliseconds, context in
        guard let context else { return -1 }
        let core = Unmanaged<HTTPClientCore>.fromOpaque(context).takeUnretainedValue()
        core.curlDeadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        return 0
    }
}
