import Deliveries
import FuzzedNode
import Inbox
import JSON
import ReferenceStore

@testable import Gateway

/// A whole node that is asked whatever the bytes make up, from the request line to the rows of its store. Each request gets
/// a documented answer or a problem. Nothing fails inside, and no count is wrong afterwards.
///
/// Some requests go over the public listener, some over the Unix socket. The routes are those of the tables.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = FuzzInput(start, count).bytes
    MainActor.assumeIsolated { converse(bytes) }
    return 0
}

@MainActor private let parts = NodeParts(catalog: RequestChoices.catalog)

@MainActor
private func converse(_ bytes: [UInt8]) {
    var choices = RequestChoices(bytes, token: parts.token)
    let node = FuzzedNode(parts)
    _ = node.exchange(choices.firstEvents, isPublisher: true)
    for _ in 0..<4 where !choices.isEmpty {
        let request = choices.request()
        let answer = node.exchange(request.bytes, isPublisher: request.isPublisher)
        guard let answers = PlainResponse.all(in: answer, isToHead: request.isHead) else {
            // What was broken may be several requests of several methods.
            guard request.isWhole else { continue }
            fatalError("an answer that is no HTTP: \(String(decoding: answer, as: UTF8.self))\n\(request)")
        }
        if request.isWhole { claim(!answers.isEmpty, "a request without an answer: \(request)") }
        for answer in answers { judge(answer, to: request) }
        choices.learn(from: answers)
    }
    judgeCounts(node.store.database)
    node.stop()
}

private func judge(_ answer: PlainResponse, to request: RequestChoices.Request) {
    claim(answer.status != 500 && answer.status < 504, "\(answer.status) as an answer to \(request)")
    let text = String(decoding: answer.body, as: UTF8.self)
    claim(!text.contains(request.token), "an answer that tells the token")
    let type = answer.header("content-type")?.prefix { $0 != ";" } ?? ""
    if [429, 503].contains(answer.status) {
        claim(answer.header("retry-after") != nil, "no time to come back: \(request)")
    }
    guard type.hasSuffix("json"), !request.isHead, !answer.body.isEmpty else { return }
    if type == "application/x-ndjson" { return }
    guard let json = answer.body.withOwnMemory({ try? JSONValue(parsing: $0) }) else {
        fatalError("an answer that is no JSON: \(text)\n\(request)")
    }
    guard type == "application/problem+json" else { return }
    claimEqual(json.object?["status"]?.int, Int64(answer.status), "a problem of another status")
    claim(json.object?["code"]?.string?.isEmpty == false, "a problem without a code: \(text)")
    claim(json.object?["detail"]?.string?.isEmpty == false, "a problem without words: \(text)")
    if let pointer = json.object?["pointer"]?.string {
        claim(pointer.utf8.first == UInt8(ascii: "/") || pointer.isEmpty, "a pointer that begins nowhere: \(pointer)")
        judge(pointer: pointer, of: request)
    }
}

/// What the pointer names is there, or is missing in something that is there (RFC 6901 §4).
private func judge(pointer: String, of request: RequestChoices.Request) {
    guard request.isWhole, let body = request.json else { return }
    var place: JSONValue? = body
    let steps = pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
        String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    for (index, step) in steps.enumerated() {
        switch place {
        case .object(let object): place = object[step]
        case .array(let array): place = Int(step).flatMap { array.indices.contains($0) ? array[$0] : nil }
        default: place = nil
        }
        claim(place != nil || index == steps.count - 1, "a pointer into nothing: \(pointer)\n\(request)")
    }
}

private func judgeCounts(_ database: MemoryDatabase) {
    let state = database.state
    var (unread, total): ([Int64: Int64], [Int64: Int64]) = ([:], [:])
    for (id, row) in state.notifications {
        total[id.inbox, default: 0] += 1
        if !row.record.isRead { unread[id.inbox, default: 0] += 1 }
    }
    for (number, inbox) in state.inboxes {
        guard let told = database.currentState(of: inbox.user) else { continue }
        claimEqual(told.unread, unread[number] ?? 0, "\(inbox.user.name) has another number of unread rows")
        claimEqual(told.total, total[number] ?? 0, "\(inbox.user.name) has another number of rows")
    }
}
