import JSON

@testable import Inbox

/// What backends publish: JSON survives being written, its hash is that of what is written, and an event keeps to its
/// limits, as do recipients by themselves.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEvent(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count).bytes
    guard let value = read(input) else { return 0 }
    claimEqual(read(value.encoded), value, "JSON that changes when written")
    input.withOwnMemory { bytes in
        guard let node = try? JSONNode(parsing: bytes) else { return }  // It has been read before.
        let hash = value.encoded.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        claimEqual(node.shortestTextHash, hash, "a hash of another text")
        do throws(EventProblem) {
            judge(try Event(json: node, at: Timestamp(milliseconds: 1_764_000_000_000)))
        } catch {
            judge(error.pointer)
        }
        do throws(EventProblem) {
            judge(try Event.recipients(stored: node))
        } catch {
            judge(error.pointer)
        }
    }
    return 0
}

private func judge(_ event: Event) {
    claim((1...Event.maximumKeyBytes).contains(event.type.utf8.count), "a type beyond the limit")
    claim(event.key.map { (1...Event.maximumKeyBytes).contains($0.utf8.count) } != false, "a key beyond the limit")
    judge(event.to)
    claim(event.actor == nil || event.actorID?.isEmpty == false, "an actor without an id")
    for moment in [event.occurredAt, event.notBefore, event.expiresAt].compactMap(\.self) {
        claimEqual(Timestamp(iso8601: moment.iso8601), moment, "a moment that changes when written")
    }
}

private func judge(_ lists: [Event.RecipientList]) {
    claim(lists.reduce(0) { $0 + $1.users.count } <= Event.maximumRecipients, "too many recipients")
    for list in lists {
        // The store compares octets; characters that Swift takes for equal must not make two people one.
        claimEqual(
            Set(list.users).count, Set(list.users.map { Array($0.name.utf8) }).count, "two users who are one")
        claim(list.topics.allSatisfy(TopicName.isValid), "a topic's name beyond the limit")
        claim(list.own.keys.allSatisfy(list.users.contains), "data of nobody's own")
        claim(!list.isEverybody || list.users.isEmpty && list.topics.isEmpty, "everybody and some more")
    }
}

/// RFC 6901 §3, octet by octet: what a reader sees as one character may be several.
private func judge(_ pointer: String) {
    let octets = Array(pointer.utf8)
    claim(octets.isEmpty || octets[0] == UInt8(ascii: "/"), "a pointer that begins nowhere")
    for (octet, next) in zip(octets, octets.dropFirst() + [0]) where octet == UInt8(ascii: "~") {
        claim("01".utf8.contains(next), "a pointer with a broken escape")
    }
}

private func read(_ bytes: [UInt8]) -> JSONValue? {
    bytes.withOwnMemory { bytes in
        // Why it is no JSON is simdjson's business.
        try? JSONValue(parsing: bytes)
    }
}
