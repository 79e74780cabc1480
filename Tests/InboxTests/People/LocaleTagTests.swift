import Testing

@testable import Inbox

struct LocaleTagTests {
    @Test(arguments: [
        ("en", "en"), ("pt-BR", "pt-BR"), ("pt_br", "pt-BR"), ("DE_at", "de-AT"), ("de_DE.UTF-8", "de-DE"),
        ("de_DE@euro", "de-DE"), ("de_DE.ISO8859-15@euro", "de-DE"), ("en_US@calendar=buddhist", "en-US"),
        ("en_US@calendar=buddhist;currency=THB", "en-US"), ("en-US-u-ca-buddhist", "en-US"), ("de-ch-1996", "de-CH"),
        ("iw", "he"), ("iw_IL", "he-IL"), ("in", "id"), ("in-ID", "id-ID"), ("no", "nb"), ("no-NO", "nb-NO"),
        ("ji", "yi"), ("tl-PH", "fil-PH"), ("zh-TW", "zh-Hant-TW"), ("zh_HK", "zh-Hant-HK"), ("zh-Hant", "zh-Hant"),
        ("zh-hant-tw", "zh-Hant-TW"), ("zh_TW_#Hant", "zh-Hant-TW"), ("zh__#Hans", "zh"), ("zh-CN", "zh-CN"),
        ("zh-Hans-CN", "zh-CN"), ("zh-yue-HK", "yue-HK"), ("sr_RS@latin", "sr-Latn-RS"), ("sh", "sr-Latn"),
        ("sr-Cyrl", "sr"), ("es-419", "es-419"), ("en-Latn-US", "en-US"), ("ca-ES-valencia", "ca-ES"),
        ("la", "la"), ("de-x-private", "de"), ("nn", "nn"),
    ])
    func `a language is read in all of its usual spellings`(_ text: String, _ tag: String) {
        #expect(LocaleTag.canonical(text) == tag)
        #expect(LocaleTag.canonical(tag) == tag)
    }

    @Test(arguments: [
        "", "C", "POSIX", "C.UTF-8", "english", "english, please", "de\u{0}x", "xx", "xx-YY", "de DE", "de/AT", "und",
        "root",
        "1", "-", "_", "@calendar=buddhist", ".UTF-8", "x-private", "dé", String(repeating: "de-", count: 60) + "de",
    ])
    func `a tag that names no language is none`(_ text: String) {
        #expect(LocaleTag.canonical(text) == nil && !LocaleTag.isKnown(text))
    }

    @Test(
        arguments: [
            ("en", "de zh-Hant", "zh-TW", "zh-Hant"), ("en", "zh-TW", "zh-Hant", "zh-TW"),
            ("en", "zh-TW", "zh_HK", "zh-TW"),
            ("en", "zh zh-Hant", "zh-CN", "zh"), ("en", "zh zh-Hant", "zh-Hans-SG", "zh"), ("en", "he", "iw-IL", "he"),
            ("en", "iw", "he", "iw"), ("en", "nb", "no", "nb"), ("en", "no", "nb-NO", "no"),
            ("en", "nb", "nn-NO", "nb"),
            ("en", "id", "in_ID", "id"), ("en", "pt-BR", "pt", "pt-BR"), ("en", "pt pt-BR", "pt-PT", "pt"),
            ("en", "de", "de_AT.UTF-8", "de"), ("no", "de", "nb", nil), ("zh-TW", "zh", "zh-Hant-HK", nil),
            ("en", "de", "en-GB", nil), ("en", "de", "fr", nil),
        ] as [(String, String, String, String?)])
    func `a reader finds the texts in their language, however either is spelled`(
        _ own: String, _ translations: String, _ reader: String, _ expected: String?
    ) {
        let languages = Languages(own: own, translations: translations.split(separator: " ").map(String.init))
        #expect(languages.translation(for: reader) == expected.map(Languages.key))
    }

    @Test(
        arguments: [
            (["fr", "de"], [], "de"), (["en"], ["de"], "en"), (["fr"], [], "en"), (["fr"], ["en"], "de"),
            (["de-CH"], ["de"], "en"), (["*"], ["en"], "de"), (["fr", "*"], ["en", "de"], "zh-hant"), ([], ["*"], "en"),
            (["zh-TW", "de"], [], "zh-hant"), (["en-GB", "de"], [], "en"), (["de-AT", "en"], ["de-AT"], "de"),
        ] as [([String], [String], String)])
    func `of what is wanted the first counts that there are texts in, and nothing that is refused`(
        _ wanted: [String], _ refused: [String], _ expected: String
    ) {
        let languages = Languages(own: "en", translations: ["de", "zh-Hant"])
        #expect(languages.choice(of: wanted, refusing: refused) == expected)
    }

    @Test func `zones are those of the database, links included`() {
        for name in [
            "Europe/Berlin", "CET", "MET", "EST5EDT", "US/Pacific", "Asia/Calcutta", "GB", "Zulu", "UTC", "GMT",
            "GMT+0", "Etc/GMT-14",
            "America/Argentina/Buenos_Aires", "Antarctica/Troll", "Hongkong", "W-SU", "NZ-CHAT", "EST", "MST", "HST",
        ] { #expect(ZoneNames.name(name) == name) }
        #expect(ZoneNames.name("europe/berlin") == "Europe/Berlin")
        for name in [
            "", "GMT+05:30", "UTC+2", "+02:00", "PST", "IST", "CST", "BST", "Etc/Unknown", "SystemV/PST8",
            "Europe/Nowhere", "Berlin",
        ] {
            #expect(ZoneNames.name(name) == nil)
        }
    }
}
