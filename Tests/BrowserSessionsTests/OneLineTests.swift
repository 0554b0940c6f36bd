import BrowserSessions
import Expectations

/// What disks and servers say is shown in lines of their own, so it has no lines of its own.
struct OneLineTests {
    static let texts = [
        ("plain – ä 😀", "plain – ä 😀"), ("", ""), ("a\nb", "a b"), ("a \r\n\t b\u{0}", "a b"),
        ("\n\n", ""), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("\u{1B}[2Ja\u{7F}", "[2Ja"),
        ("two  spaces", "two  spaces"),
    ]

    @Test(arguments: texts)
    func detailsAreOneLine(text: String, line: String) {
        var loss = Loss(.tab, detail: text)
        expect(loss.detail, is: line)
        loss.detail = text
        expect(loss.detail, is: line)
        var report = RecoveryReport()
        report.notes.append(text)
        report.notes += [text]
        expect(report.notes, is: [line, line])
        expect(StorageError(.failed, text).message, is: line)
    }
}
