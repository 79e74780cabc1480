import Testing

@testable import WireProtocol

struct ClientFrameTests {
    static let frames: [ClientFrame] = [
        ClientFrame(.hello(.init())),
        ClientFrame(
            id: "1",
            .hello(
                .init(
                    token: "abc", resume: .init(epoch: "e1", seq: 41), device: "phone", isActive: false,
                    capabilities: ["multi", "later"]))),
        ClientFrame(.ack(seq: 7)),
        ClientFrame(id: #""a\"b""#, .seen(upTo: 0)),
        ClientFrame(id: "-3", .read(.ids(["n1-2", "n1-3"]))),
        ClientFrame(.read(.upTo(9_007_199_254_740_993))),
        ClientFrame(.read(.ids([]))),
        ClientFrame(.remove(ids: ["n1-2"])),
        ClientFrame(.state(isActive: true)),
        ClientFrame(.subscribe(feed: "query:42", after: nil)),
        ClientFrame(.subscribe(feed: "posts", after: ResumePoint(offset: 5))),
        ClientFrame(.subscribe(feed: "posts", after: ResumePoint(epoch: "x", offset: 5))),
        ClientFrame(.subscribe(feed: "posts", after: nil, tags: ["post", "cat"])),
        ClientFrame(.unsubscribe(feed: "posts")),
        ClientFrame(id: "8", .snooze(until: "2026-11-27T08:00:00Z")),
        ClientFrame(.snooze(until: nil)),
        ClientFrame(.token("secret")),
        ClientFrame(id: "2", .unknown(type: "dance")),
    ]

    @Test(arguments: frames)
    func `a frame that was written is read back the same`(_ frame: ClientFrame) throws {
        #expect(try ClientFrame(parsing: frame.encoded) == frame)
        #expect(frame.encoded.text.hasPrefix(#"{"type":""#))
    }

    @Test(
        arguments: [
            (#"{"type":"ack","seq":3,"extra":[1,{"a":null}]}"#, .init(.ack(seq: 3))),
            (#"{"seq":3,"id":null,"type":"ack"}"#, .init(.ack(seq: 3))),
            (#"{"type":"hello","token":null,"resume":null,"caps":null,"active":null}"#, .init(.hello(.init()))),
            (
                #"{"type":"subscribe","feed":"posts","after":12}"#,
                .init(.subscribe(feed: "posts", after: .init(offset: 12)))
            ),
            (
                #"{"type":"subscribe","feed":"p","after":{"offset":1}}"#,
                .init(.subscribe(feed: "p", after: .init(offset: 1)))
            ),
            (#"{"type":"read","ids":null,"upTo":4}"#, .init(.read(.upTo(4)))),
            (#"{"type":"later","ids":7}"#, .init(.unknown(type: "later"))),
            (
                #"{"type":"hello","resume":{"epoch":"e","seq":5.0}}"#,
                .init(.hello(.init(resume: .init(epoch: "e", seq: 5))))
            ),
            (#"{"type":"hello","resume":{"epoch":null,"seq":null}}"#, .init(.hello(.init()))),
            (#"{"type":"hello","resume":{"epoch":"e","seq":null}}"#, .init(.hello(.init()))),
            (#"{"type":"hello","resume":{"epoch":null,"seq":5}}"#, .init(.hello(.init()))),
            (#"{"type":"ack","seq":50e-1}"#, .init(.ack(seq: 5))),
            (#"{"type":"ack","seq":7.0,"id":3.0}"#, .init(id: "3", .ack(seq: 7))),
            (#"{"type":"ack","seq":7,"id":18446744073709551001}"#, .init(id: "18446744073709551001", .ack(seq: 7))),
            (#"{"type":"subscribe","feed":"p","after":null}"#, .init(.subscribe(feed: "p", after: nil))),
            (
                #"{"type":"subscribe","feed":"p","after":{"epoch":null,"offset":null}}"#,
                .init(.subscribe(feed: "p", after: nil))
            ),
            (
                #"{"type":"subscribe","feed":"p","after":{"epoch":"e","offset":4.0},"tags":null}"#,
                .init(.subscribe(feed: "p", after: .init(epoch: "e", offset: 4)))
            ),
            (#"{"type":"ack","seq":3,"id":"\u00e9"}"#, .init(id: #""é""#, .ack(seq: 3))),
        ] as [(String, ClientFrame)])
    func `unknown members, null and left out ones do no harm`(_ text: String, frame: ClientFrame) throws {
        #expect(try ClientFrame(parsing: Array(text.utf8)) == frame)
    }

    @Test(
        arguments: [
            (#"[]"#, .notAnObject, "a frame must be a JSON object, not an array", nil),
            (#""hello""#, .notAnObject, "a frame must be a JSON object, not a string", nil),
            (#"{}"#, .missingField, #""type" is missing"#, nil),
            (#"{"id":5}"#, .missingField, #""type" is missing"#, "5"),
            (#"{"type":7,"id":"x"}"#, .wrongType, #""type" must be a string, not a number"#, #""x""#),
            (
                #"{"type":"ack","seq":1,"id":{}}"#, .wrongType,
                #""id" must be a string or a whole number, not an object"#, nil
            ),
            (
                #"{"type":"ack","seq":1,"id":1.5}"#, .wrongType,
                #""id" must be a string or a whole number, not one with a fraction or out of range"#, nil
            ),
            (#"{"type":"ack","id":1}"#, .missingField, #""seq" is missing"#, "1"),
            (#"{"type":"ack","seq":null,"id":1}"#, .missingField, #""seq" is missing"#, "1"),
            (#"{"type":"ack","seq":"1","id":1}"#, .wrongType, #""seq" must be a whole number, not a string"#, "1"),
            (
                #"{"type":"ack","seq":1.5,"id":1}"#, .wrongType,
                #""seq" must be a whole number, not one with a fraction or out of range"#, "1"
            ),
            (#"{"type":"ack","seq":-1}"#, .invalidValue, #""seq" must be 0 or more"#, nil),
            (#"{"type":"seen"}"#, .missingField, #""upTo" is missing"#, nil),
            (#"{"type":"read"}"#, .missingField, #""read" needs "ids" or "upTo""#, nil),
            (
                #"{"type":"read","ids":[],"upTo":1}"#, .invalidValue, #""read" takes either "ids" or "upTo", not both"#,
                nil
            ),
            (#"{"type":"read","ids":"a"}"#, .wrongType, #""ids" must be an array of strings, not a string"#, nil),
            (
                #"{"type":"remove","ids":["a",1]}"#, .wrongType,
                #""ids" must be an array of strings alone"#, nil
            ),
            (#"{"type":"remove"}"#, .missingField, #""ids" is missing"#, nil),
            (#"{"type":"state"}"#, .missingField, #""active" is missing"#, nil),
            (#"{"type":"state","active":1}"#, .wrongType, #""active" must be true or false, not a number"#, nil),
            (#"{"type":"subscribe"}"#, .missingField, #""feed" is missing"#, nil),
            (
                #"{"type":"subscribe","feed":"p","after":"1"}"#, .wrongType,
                #""after" must be a whole number or an object, not a string"#, nil
            ),
            (#"{"type":"subscribe","feed":"p","after":-1}"#, .invalidValue, #""after" must be 0 or more"#, nil),
            (
                #"{"type":"subscribe","feed":"p","after":{"epoch":"e"}}"#, .missingField, #""after.offset" is missing"#,
                nil
            ),
            (#"{"type":"unsubscribe","feed":[]}"#, .wrongType, #""feed" must be a string, not an array"#, nil),
            (#"{"type":"snooze"}"#, .missingField, #""until" is missing"#, nil),
            (#"{"type":"snooze","until":8}"#, .wrongType, #""until" must be a string, not a number"#, nil),
            (#"{"type":"token"}"#, .missingField, #""token" is missing"#, nil),
            (#"{"type":"token","token":true}"#, .wrongType, #""token" must be a string, not a boolean"#, nil),
            (#"{"type":"hello","token":1}"#, .wrongType, #""token" must be a string, not a number"#, nil),
            (#"{"type":"hello","resume":"e1"}"#, .wrongType, #""resume" must be an object, not a string"#, nil),
            (#"{"type":"hello","resume":{"seq":1}}"#, .missingField, #""resume.epoch" is missing"#, nil),
            (
                #"{"type":"hello","resume":{"epoch":"e","seq":5.5}}"#, .wrongType,
                #""resume.seq" must be a whole number, not one with a fraction or out of range"#, nil
            ),
            (
                #"{"type":"hello","resume":{"epoch":1,"seq":1}}"#, .wrongType,
                #""resume.epoch" must be a string, not a number"#, nil
            ),
            (
                #"{"type":"hello","resume":{"epoch":"e","seq":-2}}"#, .invalidValue, #""resume.seq" must be 0 or more"#,
                nil
            ),
            (#"{"type":"hello","device":{}}"#, .wrongType, #""device" must be a string, not an object"#, nil),
            (#"{"type":"hello","active":"yes"}"#, .wrongType, #""active" must be true or false, not a string"#, nil),
            (
                #"{"type":"hello","caps":"multi"}"#, .wrongType, #""caps" must be an array of strings, not a string"#,
                nil
            ),
        ] as [(String, LiveErrorCode, String, String?)])
    func `a bad frame is told which field and what was expected`(
        _ text: String, code: LiveErrorCode, message: String, id: String?
    ) {
        let problem = #expect(throws: ClientFrameProblem.self) { try ClientFrame(parsing: Array(text.utf8)) }
        #expect(problem == ClientFrameProblem(code: code, message: message, id: id))
    }

    @Test(arguments: ["", "{", "{\"type\":\"ack\",}", "{}{}", "\u{0}"])
    func `a text that is not JSON is told so`(_ text: String) {
        let problem = #expect(throws: ClientFrameProblem.self) { try ClientFrame(parsing: Array(text.utf8)) }
        #expect(problem?.code == .invalidJSON)
        #expect(problem?.message.hasPrefix("the frame is not JSON: ") == true)
    }

    @Test func `a problem becomes an error frame that quotes nothing of what was sent`() throws {
        let thrown = #expect(throws: ClientFrameProblem.self) {
            try ClientFrame(parsing: Array(#"{"type":"hello","id":"k","token":["secret"]}"#.utf8))
        }
        let problem = try #require(thrown)
        let frame = ServerFrame.error(id: problem.id, problem.code, message: problem.message).text
        #expect(
            frame == #"{"type":"error","id":"k","code":"wrong_type","#
                + #""message":"\"token\" must be a string, not an array","temporary":false}"#)
    }
}
