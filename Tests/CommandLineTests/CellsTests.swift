import CommandLineSupport
import Expectations

struct CellsTests {
    @Test(
        "Cells of a terminal are counted, not characters",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("見出し", 6), ("ｱｲ", 2), ("Ａ", 2),
            ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2),
            ("❤", 1), ("1️⃣", 2), ("🏳️‍🌈", 2), ("a👩‍🚀b", 4), ("クッキー🍪", 10), ("Ω→…", 3), ("نص", 2),
            ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("─│", 2),
            ("〈〉", 4), ("𠮷", 2), ("☕", 2), ("☎", 1), ("क", 1), ("की", 2), ("😀😀", 4),
            ("\u{1F1E6}", 1),
        ])
    func cells(text: String, cells: Int) { expect(text.cells, is: cells, "\(text)") }

    @Test(
        "A cut text fits and says that it was cut",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"),
            ("abcdef", 0, ""), ("見出し", 6, "見出し"), ("見出し", 5, "見出…"), ("見出し", 4, "見…"),
            ("a👩‍👩‍👧‍👦b", 3, "a…"), ("e\u{301}fg", 2, "e\u{301}…"),
        ])
    func cut(text: String, limit: Int, result: String) {
        expect(text.cut(toCells: limit), is: result)
        expect(result.cells <= limit)
    }

    @Test func padding() {
        expect("見".padded(toCells: 4), is: "見  ")
        expect("7".padded(toCells: 3, right: true), is: "  7")
        expect("abcd".padded(toCells: 2), is: "abcd")
    }
}
