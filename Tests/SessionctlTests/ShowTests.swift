import BrowserSessions
import Expectations
import TestSupport

struct ShowTests {
    let workspace: Workspace
    let store: String
    /// A session with a pinned tab, a group and native states.
    let session = "3F9D5A1C-7B42-4E08-9C61-2D8E0B7A4F15/regular"

    init() throws {
        workspace = Workspace()
        store = try workspace.imported("sqlite")
    }

    func show(_ more: String...) throws -> ProgramOutcome {
        try Tool.run(["show", session, "--storage", store] + more)
    }

    @Test func tabs() throws {
        let json = try show("--format", "json").json()
        expect(json["session"], is: .text(session))
        expect(json["provenance"], is: .text("intact"))
        expect(json["tabs"].elements.count, is: 6)
        expect(json["tabs"].elements.count { $0["isActive"] == .bool(true) }, is: 1)
        expect(json["tabs"].elements.allSatisfy { $0["states"] == .null })
        let lines = try show().expectSuccess().split(separator: "\n")
        expect(lines.count, is: 7)
        expect(lines[0].hasPrefix("\(session)  intact"))
        for (line, tab) in zip(lines.dropFirst(), json["tabs"].elements) {
            let url = try require(tab["url"].text)
            expect(line.contains(url))
            expect(line.hasPrefix("*"), is: (tab["isActive"] == .bool(true)))
        }
    }

    @Test func states() throws {
        let json = try show("--states", "--format", "json").json()
        let sizes = json["tabs"].elements.compactMap { $0["states"]["navigation"].integer }
        expect(sizes.count == 6 && sizes.allSatisfy { $0 > 0 })
        expect(json["tabs"].elements.contains { $0["states"]["native"].integer ?? 0 > 0 })
        let text = try show("--states").output
        expect(text.contains("navigation \(sizes[0])"))
        expect(text.contains("native "))
    }

    @Test func previous() async throws {
        // The next opening after the import takes a restore point; a look takes none.
        _ = try show()
        try show("--previous").expectRefusal("of an earlier time")
        try await workspace.withStore(store) { _ = try await $0.sessions() }
        let json = try show("--previous", "--format", "json").json()
        expect(json["provenance"], is: .text("restorePoint"))
        expect(json["tabs"], is: (try show("--format", "json").json()["tabs"]))
    }
}
