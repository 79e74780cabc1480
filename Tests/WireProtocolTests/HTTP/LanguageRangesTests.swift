import Testing
import WireProtocol

struct LanguageRangesTests {
    @Test(
        arguments: [
            (["fr, de;q=0.5"], ["fr", "de"], []), (["de;q=0, en"], ["en"], ["de"]),
            (["de;q=0.2,en ; q=0.9, fr;Q=0.3"], ["en", "fr", "de"], []),
            (["*;q=0.1, de-CH"], ["de-CH", "*"], []), (["a;q=0.5, b;q=0.5, c;q=0.501"], ["c", "a", "b"], []),
            (["de", "en;q=0.000, fr;q=1.000"], ["de", "fr"], ["en"]),
            (["en;q=2, de;q=x, fr;q=-1, it;q=0.1234, es;q=, pt;v=1"], [], []),
            ([""], [], []), ([], [], []), (["zh_TW, english please, de"], ["de"], []),
            (["en;q=1.001, de;q=0."], [], ["de"]),
        ] as [([String], [String], [String])])
    func `wanted languages come first, and those with the quality 0 not at all`(
        _ lines: [String], _ wanted: [String], _ refused: [String]
    ) {
        var headers = HTTPHeaders()
        for line in lines { headers.add("Accept-Language", line) }
        let ranges = LanguageRanges(headers)
        #expect(ranges.wanted == wanted && ranges.refused == refused)
    }
}
