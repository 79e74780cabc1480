import Inbox
import Testing
import WireProtocol

@testable import Gateway

struct ETagTests {
    static let state = InboxState(epoch: "9xk2", seq: 42, unread: 5, unseen: 2, total: 7)
    let tag = ETag(state)

    @Test func `epoch and seq are the tag, with the cut of a later page`() {
        #expect(tag.text == #""9xk2.42""#)
        #expect(ETag(Self.state, asOf: 40).text == #""9xk2.42.40""#)
    }

    @Test func `every change of the inbox changes it`() {
        var state = Self.state
        var texts = [ETag(state).text]
        _ = state.add()
        texts.append(ETag(state).text)
        _ = state.see(1)
        texts.append(ETag(state).text)
        #expect(Set(texts).count == 3)
        #expect(!ETag(InboxState(epoch: "other", seq: 42)).matches(tag.text))
    }

    @Test(arguments: [
        #""9xk2.42""#, #"W/"9xk2.42""#, "*", #""a", "9xk2.42""#, #""9xk2.42" , "b""#, #""a",W/"9xk2.42""#,
        "\"a\",\t\"9xk2.42\"\t,\"b\"", #"  "9xk2.42"  "#,
    ])
    func `a client that has it is recognized`(_ header: String) {
        #expect(tag.matches(header))
    }

    @Test(arguments: [
        nil, "", #""9xk2.41""#, "9xk2.42", #""9xk2.42"#, #"9xk2.42""#, #""9xk2.42.40""#, #"w/"9xk2.42""#,
        #"W/ "9xk2.42""#, #""*""#, #""9xk2.4", "2""#, ",", "W/",
    ])
    func `anything else is another tag`(_ header: String?) {
        #expect(!tag.matches(header))
    }

    @Test func `the answer to one who has it is the tag alone`() {
        let response = tag.notModified
        #expect(response.status == 304)
        #expect(response.headers["ETag"] == #""9xk2.42""#)
        #expect(response.body.isEmpty)
    }
}
