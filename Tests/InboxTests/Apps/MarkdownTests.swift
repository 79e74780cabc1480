import Testing

@testable import Inbox

@Suite struct `A part of a Markdown page` {
    @Test(arguments: [
        ("plain", "`plain`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("a\nb", "`a b`"), ("<b>", "`<b>`"),
        ("\u{202E}x", #"`\u202ex`"#),
    ]) func `is code, whatever its name`(name: String, code: String) {
        #expect(Markdown.code(name) == code)
    }

    @Test(arguments: [
        ("plain", "plain"), ("<b>&amp;", "&lt;b&gt;&amp;amp;"), ("a\r\n# b", "a # b"), ("[x](y)", #"\[x\](y)"#),
        ("`x`", #"\`x\`"#), ("\u{1B}[31m", #"\\u001b\[31m"#),
    ]) func `is text, whatever the words`(words: String, text: String) {
        #expect(Markdown.text(words) == text || Markdown.text(words) == text.replacing(#"\\u"#, with: #"\u"#))
    }
}
