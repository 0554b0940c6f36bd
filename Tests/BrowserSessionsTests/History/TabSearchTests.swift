import Expectations
import Foundation

@testable import BrowserSessions
@testable import RestorePlans

@Suite("tabs are found by words")
struct TabSearchTests {
    private func finds(_ words: String, _ title: String, _ url: String = "") -> Bool {
        TabSearch(words).finds(in: title, url)
    }

    @Test(
        "Case, accents, width, forms and the order of words make no difference",
        arguments: [
            ("swift", "The SWIFT Language"), ("uber", "Über uns"), ("Ü", "ubung"),
            ("resume", "Re\u{301}sume\u{301}"), ("strasse", "Straße 7"), ("STRASSE", "straße"),
            ("ｔａｂ", "tab"), ("tab", "ＴＡＢ"), ("ガイド", "ｶﾞｲﾄﾞ"), ("かき", "がぎ"),
            ("e\u{301}", "É"), ("лед", "Лёд"), ("αθηνα", "Αθήνα"), ("σοφοσ", "ΣΟΦΟΣ"),
            ("oslo bodo", "Bodø – Oslo"), ("tiếng viet", "TIENG VIỆT"),
            ("한", "\u{1112}\u{1161}\u{11AB}국"),
            ("fi", "ﬁnal"), ("b a", "A B"), ("İzmir", "izmir"), ("שלום", "שָׁלוֹם"),
            ("中文", "讀中文書"),
        ])
    func folding(words: String, title: String) { expect(finds(words, title)) }

    @Test("Each word has to be somewhere; no words find nothing")
    func words() {
        expect(finds("docs swift", "Docs", "https://swift.org/"))
        expect(!finds("docs rust", "Docs", "https://swift.org/"))
        expect(!finds("", "Docs") && !finds(" \n\u{3000}", "Docs"))
        expect(!finds("ab", "a b") && !finds("abc", "ab") && finds("\u{3000}ab ", "xABx"))
        expect(!finds("[", "{") && !finds("@", "`") && finds("Z[", "z["))
        var tab = TabMetadata(id: .random(), place: .middle, title: "one")
        tab.name = "Zwei"
        expect(TabSearch("zwei ONE").finds(tab))
    }

    @Test("The letters of Latin, Greek and Cyrillic are folded as Foundation folds them")
    func foundation() {
        let ranges = [0xC0...0x17F, 0x386...0x3CE, 0x400...0x45F, 0x1E00...0x1EFF]
        // In two letters, Foundation leaves an apostrophe and a half ring that are no letters.
        for value in ranges.joined() where value != 0x149 && value != 0x1E9A {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let letter = String(scalar)
            let theirs = letter.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            // What Foundation leaves as it is, we may fold further, as strokes.
            guard theirs != letter, theirs != letter.lowercased() else { continue }
            let expected = TextFolding.folded(theirs)
            expect(
                TextFolding.folded(letter), is: expected, "\(letter) U+\(String(value, radix: 16))")
        }
    }

    @Test("Folding twice changes nothing more")
    func twice() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = TextFolding.folded(String(scalar))
            let text = String(decoding: once, as: UTF8.self)
            expect(TextFolding.folded(text), is: once, "U+\(String(value, radix: 16))")
        }
    }
}
