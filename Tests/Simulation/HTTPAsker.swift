import BelfryClient
import Foundation

/// One HTTP request through a link, with its whole answer.
@MainActor
final class HTTPAsker {
    private let link: Link
    private let timeline: Timeline
    private var bytes: [UInt8] = []
    private var completion: ((HTTPAnswer?) -> Void)?

    /// - Parameters:
    ///   - patience: after how many microseconds there is no answer.
    ///   - completion: gets nil without an answer.
    @discardableResult
    init(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String = "", patience: Int64,
        over link: Link, _ timeline: Timeline, completion: @escaping (HTTPAnswer?) -> Void
    ) {
        (self.link, self.timeline, self.completion) = (link, timeline, completion)
        var head = "\(method) \(path) HTTP/1.1\r\nHost: simulated\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
        // Held by the event below, and by no link that nobody closes.
        link.received = { [weak self] in self?.bytes += $0 }
        link.closed = { [weak self] in self?.finish(self?.read()) }
        link.send(Array((head + "\r\n" + body).utf8))
        timeline.after(patience) { [self] in
            guard self.completion != nil else { return }
            link.close()
            finish(nil)
        }
    }

    private func finish(_ answer: HTTPAnswer?) {
        let completion = completion
        self.completion = nil
        completion?(answer)
    }

    /// The answer, if it is whole.
    private func read() -> HTTPAnswer? {
        let text = Data(bytes)
        guard let gap = text.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: text[..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) }
        let body = text[gap.upperBound...]
        guard body.count == length ?? 0 else { return nil }
        return HTTPAnswer(status: status, body: Data(body))
    }
}
