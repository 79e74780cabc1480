import Testing
import WireProtocol

@testable import Gateway

struct PollBufferTests {
    private static let patience = Duration.seconds(20)

    private let start = ContinuousClock.now
    private var buffer = PollBuffer(of: "ses_7", patience: patience)

    private static func frame(_ number: Int) -> [UInt8] { Array(#"{"type":"new","seq":\#(number)}"#.utf8) }

    private var text: String { String(decoding: buffer.answer.body, as: UTF8.self) }

    private mutating func step(after wait: Duration = .zero) -> PollBuffer.Step { buffer.step(at: start + wait) }

    /// What a poll leads to; nil if it is refused.
    private mutating func poll(_ after: Int, _ wait: Duration = .zero) -> PollBuffer.Step? {
        buffer.ask(after: after) ? step(after: wait) : nil
    }

    /// A buffer whose first answer has had two frames.
    private mutating func answerTwo() -> PollBuffer.Step {
        for number in 1...2 { buffer.append(Self.frame(number)) }
        return step()
    }

    @Test mutating func `the first poll waits for the first frame, and gets all that came with it`() {
        let before = step()
        #expect(before == .wait(until: nil))
        let first = answerTwo()
        #expect(first == .answer)
        #expect(text == #"{"session":"ses_7","next":2,"frames":[{"type":"new","seq":1},{"type":"new","seq":2}]}"#)
        #expect(buffer.answer.headers["Cache-Control"] == "no-store")
    }

    @Test mutating func `frames are given again until a poll confirms them`() {
        _ = answerTwo()
        let again = poll(0, PollBuffer.pace)
        #expect(again == .answer)
        #expect(text.contains(#""seq":1}"#))
        let third = poll(1, PollBuffer.pace * 2)
        #expect(third == .answer)
        #expect(text == #"{"session":"ses_7","next":2,"frames":[{"type":"new","seq":2}]}"#)
    }

    @Test mutating func `a poll that confirms everything waits for more`() {
        _ = answerTwo()
        let waiting = poll(2, .seconds(3_600))
        #expect(waiting == .wait(until: nil))
        buffer.append(Self.frame(3))
        let answered = step(after: .seconds(3_600))
        #expect(answered == .answer)
        #expect(text == #"{"session":"ses_7","next":3,"frames":[{"type":"new","seq":3}]}"#)
    }

    @Test(arguments: [0, 3, -1])
    func `a poll with another place than the client can have is refused, and changes nothing`(_ after: Int) {
        var copy = self
        _ = copy.answerTwo()
        _ = copy.poll(1)
        let refused = copy.poll(after)
        #expect(refused == nil)
        let answered = copy.step(after: PollBuffer.pace)
        #expect(answered == .answer)
        #expect(copy.text == #"{"session":"ses_7","next":2,"frames":[{"type":"new","seq":2}]}"#)
    }

    @Test mutating func `answers leave at a pace, but for the last one`() {
        _ = answerTwo()
        _ = poll(2)
        buffer.append(Self.frame(3))
        let early = step()
        #expect(early == .wait(until: start + PollBuffer.pace))
        buffer.end(4200, reason: "the gateway is leaving")
        let last = step()
        #expect(last == .answer)
    }

    @Test mutating func `with enough bytes an answer leaves at once, and there is room again once they have come`() {
        _ = answerTwo()
        _ = poll(2)
        buffer.append(Array(repeating: UInt8(ascii: "1"), count: PollBuffer.enoughBytes))
        #expect(buffer.isFull)
        let full = step()
        #expect(full == .answer)
        let next = poll(3)
        #expect(next == .wait(until: nil))
        #expect(!buffer.isFull)
    }

    @Test mutating func `the end comes behind the last frames, and stays for whoever asks again`() {
        _ = answerTwo()
        buffer.end(4202, reason: "the token has expired")
        buffer.end(1006, reason: "")
        let last = poll(1)
        #expect(last == .answer)
        let end = #""close":{"code":4202,"reason":"the token has expired"}}"#
        #expect(text == #"{"session":"ses_7","next":2,"frames":[{"type":"new","seq":2}],"# + end)
        let afterwards = poll(2)
        #expect(afterwards == .answer)
        #expect(text == #"{"session":"ses_7","next":2,"frames":[],"# + end)
    }

    @Test mutating func `a client that does not poll again in time is forgotten, and one that waits is not`() {
        _ = answerTwo()
        let between = step()
        #expect(between == .wait(until: start + Self.patience))
        let copy = self
        let waiting = poll(2, Self.patience)
        #expect(waiting == .wait(until: nil))
        self = copy
        let silent = step(after: Self.patience)
        #expect(silent == .forget)
    }
}
