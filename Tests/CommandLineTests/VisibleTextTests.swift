import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation
import TestSupport

struct VisibleTextTests {
    @Test(
        "What could drive a terminal, hide or turn the order is a number",
        arguments: [
            ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("a\u{7}b", #"a\u{7}b"#), ("\u{0}", #"\u{0}"#),
            ("a\nb\r\tc", #"a\u{A}b\u{D}\u{9}c"#), ("\r\n", #"\u{D}\u{A}"#), ("\u{7F}", #"\u{7F}"#),
            ("\u{9B}31m", #"\u{9B}31m"#), ("\u{85}\u{80}", #"\u{85}\u{80}"#),
            ("\u{202E}gpj.exe", #"\u{202E}gpj.exe"#),
            ("\u{2066}a\u{2069}", #"\u{2066}a\u{2069}"#),
            ("\u{200E}\u{200F}\u{61C}", #"\u{200E}\u{200F}\u{61C}"#),
            ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\u{FFFD}", #"\u{FFFD}"#),
            ("\u{FEFF}pay\u{200B}pal", #"\u{FEFF}pay\u{200B}pal"#), ("a\u{AD}b", #"a\u{AD}b"#),
            ("a\u{E0041}", #"a\u{E0041}"#), ("\u{E0001}", #"\u{E0001}"#),
            ("a\u{200D}b", #"a\u{200D}b"#), ("\u{3164}", #"\u{3164}"#),
            ("a\u{FE0F}", #"a\u{FE0F}"#), ("a\u{E0100}", #"a\u{E0100}"#),
            ("\u{301}a", #"\u{301}a"#), ("a \u{20DD}", #"a \u{20DD}"#),
            ("\u{FFF9}\u{FFFB}", #"\u{FFF9}\u{FFFB}"#), ("\u{FFFF}", #"\u{FFFF}"#),
        ])
    func escaped(text: String, shown: String) {
        expect(text.visible, is: shown)
        expect(text.visible.visible, is: shown)
    }

    @Test(
        "What people read stays",
        arguments: [
            "", "Titel, «títol», 見出し", #"C:\u{1B}"#, "👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 ❤️ 1️⃣ 🇩🇪",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "می‌خواهم", "क्‍ष", "e\u{301}", "葛\u{E0100}", "עברית العربية", "a\u{A0}b", "\u{F8FF}",
        ])
    func kept(text: String) { expect(text.visible, is: text) }

    @Test func namesThatAreNoText() {
        let name = PathText.text(RawNames.latin)
        expect("'\(name)'\n".visible, is: #"'caf\xE9'\u{A}"#)
        expect("'\(name)'\n".visibleLines, is: "'caf\\xE9'\n")
        expect(PathText.text(RawNames.equal[1]).visible, is: "cafe\u{301}")
    }

    @Test func endsOfLinesStayInTextsOfSeveralLines() {
        expect("a\n\u{1B}b\r\nc\rd".visibleLines, is: "a\n\\u{1B}b\r\nc\\u{D}d")
    }

    @Test func jsonMeansWhatItMeant() throws {
        let text = "\u{1B}\u{9B}\u{7F}\u{202E}\u{E0041}\u{2028}\"\\ \u{301}é👩‍👧"
        let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self).visibleJSON
        expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
        for scalar in "\u{9B}\u{7F}\u{202E}\u{E0041}\u{2028}".unicodeScalars {
            expect(!json.unicodeScalars.contains(scalar))
        }
        expect(json.contains(#"\u009B"#) && json.contains(#"\uDB40\uDC41"#))
    }

    private static let length = TestRun.amount(20_000, nightly: 200_000)

    /// A text with endless marks or tags must not take long or end the program.
    @Test func longTexts() {
        let marks = "a" + String(repeating: "\u{301}", count: Self.length)
        expect(marks.visible, is: marks)
        let tags = "\u{1F3F4}" + String(repeating: "\u{E0041}", count: Self.length) + "\u{E007F}"
        expect(tags.visible.contains(#"\u{E0041}\u{E0041}"#))
    }
}
