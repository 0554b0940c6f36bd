import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import TestSupport

@Suite("Lists of links")
struct LinksTests {
    let folder = TemporaryFolder()

    private func read(_ text: String, _ name: String = "links.tsv") throws -> SessionImport {
        try SessionImporter().read(path: try folder.write(Array(text.utf8), to: name))
    }

    @Test("A table makes a window for each file and a group for each section")
    func table() throws {
        let result = try read(
            """
            file\tsection\ttitle\turl
            a.md\tOne\tתוכנה חופשית\thttps://example.org/1
            a.md\tTwo\tEmoji 🦊\thttps://example.org/2\r
            b.md\tOne\t\thttps://example.org/3
            a.md\t\tAlone\tmailto:someone@example.org

            """)
        expect(result.sessions.map(\.attributes.title), is: ["a.md", "b.md"])
        expect(result.sessions.map(\.tabs.count), is: [3, 1])
        expect(result.sessions[0].nodes.map(\.name), is: ["One", "Two"])
        expect(result.sessions[0].tabs.map(\.metadata.title).first, is: "תוכנה חופשית")
        expect(result.sessions[0].tabs[1].metadata.url, is: "https://example.org/2")
        expect(result.sessions[0].tabs[2].metadata.group == nil)
        expect(
            result.sessions[0].nodes[0].id
                != result.sessions[1].nodes[0].id)
        expect(result.report.sources.first?.problems, is: [])
    }

    @Test("A table with a damaged header is one all the same")
    func damagedHeader() throws {
        let rows = (0..<3).map { "a.md\tOne\tT\thttps://example.org/\($0)\n" }.joined()
        let result = try read("fi\u{0}e\tsection\ttitle\turl\n" + rows)
        expect(result.sessions.map(\.attributes.title), is: ["a.md"])
        expect(result.sessions.map(\.tabs.count), is: [3])
        expect(result.report.sources.first?.problems.map(\.location), is: ["line 1"])
    }

    @Test("Bad rows are named by their line and do not stop the rest")
    func badRows() throws {
        let result = try read(
            "file\tsection\ttitle\turl\na\tb\tc\nx\ty\tz\tno address\nx\ty\tz\thttps://example.org/\n"
        )
        expect(result.sessions.map(\.tabs.count), is: [1])
        expect(result.report.isDamaged)
        expect(result.report.sources[0].problems.map(\.location), is: ["line 2", "line 3"])
    }
}
