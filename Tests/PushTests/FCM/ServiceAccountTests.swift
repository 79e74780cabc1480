import Push
import Testing

/// Not a key: only its form counts here.
let serviceAccountText = """
    {"type":"service_account","project_id":"field-app-1","private_key_id":"k1",
    "private_key":"-----BEGIN PRIVATE KEY-----\\nc2VjcmV0\\n-----END PRIVATE KEY-----\\n",
    "client_email":"push@field-app-1.iam.gserviceaccount.com","token_uri":"https://oauth2.googleapis.com/token"}
    """

struct ServiceAccountTests {
    @Test func `an account is read from Google's file`() throws {
        let account = try ServiceAccount(parsing: serviceAccountText)
        #expect(account.projectID == "field-app-1")
        #expect(account.clientEmail == "push@field-app-1.iam.gserviceaccount.com")
        #expect(account.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(account.privateKeyID == "k1")
        #expect(account.tokenURI == "https://oauth2.googleapis.com/token")
    }

    @Test(arguments: [
        ("", "not a service account's JSON file"), ("[]", "holds an object, not an array"),
        ("{}", #""type" is missing"#), (#"{"type":"authorized_user"}"#, "another kind of account"),
        (#"{"type":"service_account"}"#, #""project_id" is missing"#),
        (#"{"type":"service_account","project_id":7}"#, #""project_id" must be a text, not a number"#),
        (#"{"type":"service_account","project_id":""}"#, #""project_id" must be a text, not an empty one"#),
        (
            #"{"type":"service_account","project_id":"p","client_email":"e","private_key":"c2VjcmV0"}"#,
            #""private_key" must be a key in PEM"#
        ),
        (
            #"{"type":"service_account","project_id":"p","client_email":"e","private_key":"-----BEGIN X","#
                + #""token_uri":"http://x"}"#, #""token_uri" must begin with https://"#
        ),
    ])
    func `a wrong file is told without what it holds`(text: String, words: String) {
        let error = #expect(throws: ServiceAccountError.self) { try ServiceAccount(parsing: text) }
        #expect(error?.description.contains(words) == true)
        #expect(error?.description.contains("c2VjcmV0") == false)
    }

    @Test func `printing an account does not show its key`() throws {
        let account = try ServiceAccount(parsing: serviceAccountText)
        var dumped = ""
        dump(account, to: &dumped)
        for shown in ["\(account)", String(reflecting: account), dumped] { #expect(!shown.contains("c2VjcmV0")) }
    }
}
