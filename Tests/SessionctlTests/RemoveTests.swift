import BrowserSessions
import ChildProcesses
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// A store is removed as a whole, and only when somebody said so.
struct RemoveTests {
    private let workspace = Workspace()

    @Test(arguments: Workspace.backends)
    func removesTheWholeStore(backend: String) throws {
        let store = try workspace.imported(backend)
        try FileSystem.replace(workspace.file("beside"), with: [1])
        let outcome = try Tool.run(["remove", "--yes", "--storage", store]).expectSuccess(
            isSilent: true)
        expect(outcome.hasPrefix("\(backend) store at \(workspace.file("profile")) with "))
        expect(outcome.hasSuffix(" removed\n"))
        expect(try FileSystem.contents(of: workspace.path) == ["beside"])
        try Tool.run(["remove", "--yes", "--storage", store]).expectRefusal("(notFound)")
    }

    @Test func withoutATerminalItMustBeSaid() async throws {
        let store = try await twoWindows(in: workspace)
        let before = try FileSystem.files(in: workspace.path)
        let outcome = try Tool.run(["remove", "--storage", store])
        expect(outcome.status == 64 && outcome.output.isEmpty)
        for words in [
            "--yes", "directory store at \(workspace.file("profile"))", "2 sessions", "3 tabs",
        ] { expect(outcome.messages.contains(words), "\(outcome.messages)") }
        expect(try FileSystem.files(in: workspace.path) == before)
        let json = try Tool.run(["remove", "--yes", "--format", "json", "--storage", store]).json()
        expect(json["backend"].text, is: "directory")
        expect(json["location"].text, is: workspace.file("profile"))
        expect(json["sessions"].integer == 2 && json["tabs"].integer == 3)
    }

    @Test func oneThatIsDamagedGoes() async throws {
        let store = try await twoWindows(in: workspace)
        let folder = workspace.file("profile/regular")
        for name in try FileSystem.contents(of: folder) {
            let bytes = try FileSystem.read("\(folder)/\(name)")
            try FileSystem.replace("\(folder)/\(name)", with: bytes.map { ~$0 })
        }
        let outcome = try Tool.run(["remove", "--yes", "--storage", store])
        expect(outcome.status, is: 0)
        expect(outcome.messages.contains("what the store holds cannot be read"))
        expect(try FileSystem.contents(of: workspace.path) == [])
    }

    #if os(Linux)
        @Test(arguments: ["yes", "no", "", "YES please"])
        func aPersonIsAsked(answer: String) async throws {
            let store = try await twoWindows(in: workspace)
            let before = try FileSystem.files(in: workspace.path)
            let terminal = try PseudoTerminal(columns: 80)
            let partition = try terminal.open()
            terminal.type(answer + "\n")
            let program = try Tool.start(
                ["remove", "--storage", store], input: .descriptor(partition), output: .nothing,
                messages: .pipe)
            let messages = String(decoding: program.readToEnd(2), as: UTF8.self)
            let end = program.end()
            expect(messages.contains("with 2 sessions and 3 tabs will be removed for good"))
            if answer == "yes" {
                expect(end, is: .exited(0))
                expect(try FileSystem.contents(of: workspace.path) == [])
            } else {
                expect(end, is: .exited(2))
                expect(messages.contains("nothing was removed"))
                expect(try FileSystem.files(in: workspace.path) == before)
            }
        }
    #endif

    /// Two windows, of one tab and of two.
    private func twoWindows(in workspace: Workspace) async throws -> String {
        var changes = SessionChanges()
        // What a launch noted is no session of the user.
        let note = SessionID(window: WindowID(high: 9, low: 9), kind: .launch)
        changes.put(SessionAttributes(), for: note)
        for number in 1...2 {
            let id = SessionID(window: WindowID(high: 1, low: UInt64(number)))
            changes.put(SessionAttributes(title: "Window \(number)"), for: id)
            for (place, key) in OrderKey.evenlySpaced(count: number).enumerated() {
                let tab = TabID(high: UInt64(number), low: UInt64(place))
                changes.put(TabMetadata(id: tab, place: key, url: "https://example.org"), in: id)
            }
        }
        return try await workspace.store(holding: changes)
    }
}
