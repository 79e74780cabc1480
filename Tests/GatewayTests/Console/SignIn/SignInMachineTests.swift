import Inbox
import Testing

@testable import Gateway

@Suite struct `A login by a provider` {
    private static let issuer = "https://id.example/"
    private static let other = SignInProblem(.otherBrowser)

    private static func secrets(_ number: Int) -> SignInSecrets {
        SignInSecrets((0..<SignInSecrets.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
    }

    private static func answer(
        _ secrets: SignInSecrets, _ change: (inout SignInMachine.Answer) -> Void = { _ in }
    ) -> SignInMachine.Answer {
        var answer = SignInMachine.Answer()
        (answer.state, answer.code, answer.issuer, answer.browser) = (secrets.state, "c0de", issuer, secrets.browser)
        change(&answer)
        return answer
    }

    private static func begun(_ secrets: SignInSecrets, namesIssuer: Bool = false) -> SignInMachine {
        var machine = SignInMachine(issuer: issuer)
        machine.begin(secrets, namesIssuer: namesIssuer, at: .noon)
        return machine
    }

    private static func problem(
        _ machine: inout SignInMachine, _ answer: SignInMachine.Answer, at now: Timestamp = .noon
    ) -> SignInProblem? {
        do throws(SignInProblem) {
            _ = try machine.take(answer, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `exchanges its code with its own verifier and nonce`() throws {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets)
        machine.begin(Self.secrets(2), namesIssuer: false, at: .noon)
        let exchange = try machine.take(Self.answer(secrets), at: .noon + .seconds(30))
        #expect(
            exchange == SignInMachine.Exchange(code: "c0de", verifier: secrets.verifier, nonce: secrets.nonce))
        #expect(machine.count == 1)
    }

    @Test func `takes one answer, and no second one`() {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets)
        #expect(Self.problem(&machine, Self.answer(secrets)) == nil)
        #expect(Self.problem(&machine, Self.answer(secrets)) == SignInProblem(.unknownLogin))
    }

    @Test func `takes no second answer after an error either`() {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets)
        let refused = Self.answer(secrets) { ($0.code, $0.error) = (nil, "access_denied") }
        #expect(Self.problem(&machine, refused) == SignInProblem(.refused, code: "access_denied"))
        #expect(Self.problem(&machine, Self.answer(secrets)) == SignInProblem(.unknownLogin))
    }

    @Test func `ends after ten minutes`() {
        let secrets = Self.secrets(1)
        var (early, late) = (Self.begun(secrets), Self.begun(secrets))
        let end = Timestamp.noon + SignInMachine.lifetime
        #expect(Self.problem(&early, Self.answer(secrets), at: end - .milliseconds(1)) == nil)
        #expect(Self.problem(&late, Self.answer(secrets), at: end) == SignInProblem(.unknownLogin))
    }

    @Test(arguments: [nil, "", "other"]) func `takes no answer with another state`(_ state: String?) {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets)
        #expect(Self.problem(&machine, Self.answer(secrets) { $0.state = state }) == SignInProblem(.unknownLogin))
        #expect(Self.problem(&machine, Self.answer(secrets)) == nil)
    }

    @Test(arguments: [nil, "", "other"])
    func `takes no answer from another browser, which does not end it either`(_ browser: String?) {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets)
        #expect(Self.problem(&machine, Self.answer(secrets) { $0.browser = browser }) == Self.other)
        #expect(Self.problem(&machine, Self.answer(secrets)) == nil)
    }

    @Test func `takes no answer for the browser of another login`() {
        let (mine, others) = (Self.secrets(1), Self.secrets(2))
        var machine = Self.begun(mine)
        machine.begin(others, namesIssuer: false, at: .noon)
        #expect(Self.problem(&machine, Self.answer(mine) { $0.browser = others.browser }) == Self.other)
    }

    @Test(
        arguments: [
            (issuer, false, nil), (issuer, true, nil), (nil, false, nil), (nil, true, .wrongIssuer),
            ("https://id.example", false, .wrongIssuer), ("https://evil.example/", true, .wrongIssuer),
        ] as [(String?, Bool, SignInProblem.Kind?)])
    func `takes no answer of another issuer, nor one without where the provider names itself`(
        _ issuer: String?, _ namesIssuer: Bool, _ kind: SignInProblem.Kind?
    ) {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets, namesIssuer: namesIssuer)
        #expect(Self.problem(&machine, Self.answer(secrets) { $0.issuer = issuer })?.kind == kind)
    }

    @Test func `believes no error of another issuer`() {
        let secrets = Self.secrets(1)
        var machine = Self.begun(secrets)
        let answer = Self.answer(secrets) { ($0.error, $0.issuer) = ("access_denied", "https://evil.example/") }
        #expect(Self.problem(&machine, answer) == SignInProblem(.wrongIssuer))
    }

    @Test func `needs a code or an error, and an error counts more`() {
        let secrets = Self.secrets(1)
        var (without, both) = (Self.begun(secrets), Self.begun(secrets))
        #expect(
            Self.problem(&without, Self.answer(secrets) { $0.code = nil }) == SignInProblem(.incompleteAnswer))
        #expect(Self.problem(&both, Self.answer(secrets) { $0.error = "server_error" })?.kind == .refused)
    }

    @Test func `gives its place to a newer one when too many wait`() {
        var machine = SignInMachine(issuer: Self.issuer)
        let all = (0...SignInMachine.maximumCount).map { number in
            SignInSecrets(
                (0..<SignInSecrets.byteCount).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) })
        }
        for (number, secrets) in all.enumerated() {
            machine.begin(secrets, namesIssuer: false, at: .noon + .milliseconds(number))
        }
        #expect(machine.count == SignInMachine.maximumCount)
        let now = Timestamp.noon + .seconds(2)
        #expect(Self.problem(&machine, Self.answer(all[0]), at: now) == SignInProblem(.unknownLogin))
        #expect(Self.problem(&machine, Self.answer(all[1]), at: now) == nil)
        machine.begin(Self.secrets(3), namesIssuer: false, at: now + SignInMachine.lifetime)
        #expect(machine.count == 1)
    }

    @Test func `has secrets of 256 bits, and shows the hash of the verifier alone`() {
        // RFC 7636, appendix B.
        let bytes: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let secrets = SignInSecrets([UInt8](repeating: 1, count: 64) + bytes + [UInt8](repeating: 2, count: 32))
        #expect(secrets.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(secrets.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(secrets.browser.utf8.count == 43)
        let random = (SignInSecrets.random(), SignInSecrets.random())
        #expect(random.0 != random.1)
        #expect(Set([random.0.state, random.0.nonce, random.0.verifier, random.0.browser]).count == 4)
    }

    @Test(arguments: ["access_denied<script>", "", "Denied", String(repeating: "a", count: 41), "a b"])
    func `shows no error that is no plain word`(_ error: String) {
        #expect(SignInProblem(.refused, code: error).query == "refused=refused")
        #expect(SignInProblem(.refused, code: "access_denied").query == "refused=refused&code=access_denied")
    }
}
