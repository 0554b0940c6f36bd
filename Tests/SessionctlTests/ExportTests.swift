import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

struct ExportTests {
    private let workspace = Workspace()

    @Test(arguments: Workspace.triedBackends)
    func toAFileAndToStandardOutput(backend: String) throws {
        let store = try workspace.imported(backend)
        let file = workspace.file("export.json")
        let outcome = try Tool.run(["export", file, "--storage", store, "--format", "json"])
        let status = try require(try FileSystem.status(file))
        expect(
            try outcome.json()
                == .object([
                    "path": .text(file), "bytes": .number(Double(status.size)),
                ]))
        expect(status.permissions, is: 0o600)
        let stream = try Tool.run(["export", "-", "--storage", store])
        expect(stream.messages.hasPrefix("left out: 2 incognito sessions with 3 tabs;"))
        expect(!stream.output.contains("/incognito"))
        let whole = try Tool.run(["export", "-", "--include-incognito", "--storage", store])
        expect(whole.messages.isEmpty && whole.output.contains("/incognito"))
        expect(stream.output, is: (try workspace.text("export.json")))
        let json = try stream.json()
        expect(json != .null)
        let bare = try Tool.run(["export", "-", "--without-states", "--storage", store])
        expect(bare.output.utf8.count < stream.output.utf8.count)
        expect(try bare.json() != json)
    }

    @Test func equalContentGivesEqualBytes() throws {
        let exports = try Workspace.backends.map { backend in
            try Tool.run(["export", "-", "--storage", workspace.imported(backend, backend)]).output
        }
        expect(Set(exports).count, is: 1)
    }
}
