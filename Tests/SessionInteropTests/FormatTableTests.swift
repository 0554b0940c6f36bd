import Expectations
import Foundation
import SessionInterop

/// The table of what formats hold, in the documentation.
struct FormatTableTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/SessionInterop/SessionInterop.docc/Formats.md")

    private var table: String {
        let formats = ExportFormat.allCases
        // What no format holds for all, or what only writers count.
        let parts = SessionPart.allCases.filter { part in
            formats.contains { $0.holds.contains(part) }
        }
        let rows =
            [[""] + formats.map(\.rawValue), ["---"] + formats.map { _ in "---" }]
            + parts.map { part in
                [String(part.text(2).dropFirst(2))]
                    + formats.map { $0.holds.contains(part) ? "yes" : "" }
            }
        return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    @Test func theDocumentedTableIsThatOfTheCode() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        expect(page.contains(table), "the table should be:\n\(table)")
    }
}
