import CommandLineSupport
import Expectations

/// A line as a person edits it, key by key.
struct LineEditTests {
    private typealias Outcome = LineEdit.Outcome

    /// Types keys, and returns the lines that were completed.
    private func type(_ keys: String..., in edit: inout LineEdit) -> [String] {
        var lines: [String] = []
        for byte in keys.joined().utf8 {
            if case .line(let line)? = edit.take(byte) { lines.append(line) }
        }
        return lines
    }

    private func line(_ keys: String...) -> String? {
        var edit = LineEdit()
        return type(keys.joined(), "\r", in: &edit).last
    }

    private static let (up, down, right, left) = ("\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D")

    @Test func keysMoveInsertAndRemove() {
        expect(line("open", Self.left, Self.left, "x"), is: "opxen")
        expect(line("ab", "\u{1B}[H", "c", "\u{1B}OF", "d"), is: "cabd")
        expect(line("abc", "\u{7F}\u{08}", "d"), is: "ad")
        expect(line("abc", "\u{01}", "\u{1B}[3~", "\u{04}"), is: "c")
        expect(line("one two three", "\u{17}", "x"), is: "one two x")
        expect(line("one two", "\u{1B}b", "\u{0B}", "x"), is: "one x")
        expect(line("one two", "\u{01}\u{1B}f", "\u{15}"), is: " two")
        expect(line("a", Self.right, Self.left, Self.left, "b"), is: "ba")
    }

    @Test func charactersAreWholeAndWhatIsNoneIsLeftOut() {
        expect(line("ж🦊e\u{301}", Self.left, "x"), is: "ж🦊xe\u{301}")
        expect(line("🦊", "\u{7F}", "a"), is: "a")
        expect(line("a\u{09}\u{07}b"), is: "ab")
        expect(line("a\u{1B}[99;99;99;99zb"), is: "ab")
        expect(line("a\u{202E}b"), is: "ab")
        var edit = LineEdit()
        for byte in [0xFF, 0x41, 0xC3, 0x28] as [UInt8] { _ = edit.take(byte) }
        expect(type("z\r", in: &edit).last?.hasSuffix("z"), is: true)
        for byte in UInt8.min...UInt8.max { _ = edit.take(byte) }
        for _ in 0..<100 { _ = edit.take(0x1B) }
        expect(type("\r\u{15}ok\r", in: &edit).last, is: "ok")
    }

    @Test func earlierLinesComeBackAndTheOneThatWasBegunStays() {
        var edit = LineEdit()
        expect(type("first\r", "second\r", "second\r", "\r", in: &edit).count, is: 4)
        expect(type("begun", Self.up, "\r", in: &edit), is: ["second"])
        expect(type(Self.up, Self.up, Self.up, "!\r", in: &edit), is: ["first!"])
        expect(
            type("begun", Self.up, Self.up, Self.down, Self.down, Self.down, "\r", in: &edit),
            is: [
                "begun"
            ])
        expect(type("\u{10}\u{10}\u{0E}\r", in: &edit), is: ["begun"])
    }

    @Test func theEndOfInputIsOnAnEmptyLineAlone() {
        var edit = LineEdit()
        expect(edit.take(0x04), is: .end)
        _ = type("a", in: &edit)
        expect(edit.take(0x04) == nil)
        expect(edit.take(0x0C), is: .cleared)
    }

    @Test func aLongLineShowsThePartAroundTheCursor() {
        var edit = LineEdit()
        _ = type("0123456789", in: &edit)
        expect(edit.drawing(prompt: "> ", width: 80), is: "\r> 0123456789\u{1B}[K\r\u{1B}[12C")
        expect(edit.drawing(prompt: "> ", width: 9), is: "\r> 456789\u{1B}[K\r\u{1B}[8C")
        _ = type("\u{01}", Self.right, in: &edit)
        expect(edit.drawing(prompt: "> ", width: 9), is: "\r> 012345\u{1B}[K\r\u{1B}[3C")
        _ = type("\u{15}\u{0B}夜の図", in: &edit)
        expect(edit.drawing(prompt: "", width: 80), is: "\r夜の図\u{1B}[K\r\u{1B}[6C")
    }
}
