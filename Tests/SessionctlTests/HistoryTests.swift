import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import sessionctl

/// `points`, `diff`, `find`, `restore` and `show --at`, as people run them.
struct HistoryTests {
    let workspace: Workspace
    let store: String
    static let window = SessionID(window: WindowID(high: 0xABC, low: 1))
    static let other = SessionID(window: WindowID(high: 0xDEF, low: 2))

    static func tab(_ number: UInt64) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 0xABC, low: number), place: .evenlySpaced(count: 20)[Int(number)],
            url: "https://page-\(number).example/", title: "Title \(number)")
    }

    /// A store with a point of two windows and five tabs; now one window with two of them and a new one.
    init() async throws {
        workspace = Workspace()
        store = workspace.store("sqlite")
        let (window, other) = (Self.window, Self.other)
        try await workspace.withStore(store) { open in
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "Work"), for: window)
            changes.put(SessionAttributes(), for: other)
            for number in UInt64(0)..<3 { changes.put(Self.tab(number), in: window) }
            for number in UInt64(3)..<5 { changes.put(Self.tab(number), in: other) }
            let key = TabStateKey(tab: Self.tab(3).id, name: .navigation, in: other)
            changes.put([1, 2, 3], for: key)
            try await open.save(changes)
        }
        try await workspace.withStore(store) { open in
            var changes = SessionChanges()
            changes.remove(other)
            changes.remove(Self.tab(1).id, from: window)
            changes.put(Self.tab(9), in: window)
            try await open.save(changes)
        }
    }

    func run(_ arguments: String..., json: Bool = false) throws -> ProgramOutcome {
        try Tool.run(
            arguments + ["--storage", store] + (json ? ["--format", "json"] : []),
            environment: ["TZ": "UTC"])
    }

    /// The tabs of a window now.
    func tabs(_ window: SessionID) async throws -> [TabID]? {
        try await workspace.withStore(store) { try await $0.restore(window)?.tabs.map(\.id) }
    }

    @Test func points() throws {
        let point = try require(try run("points", json: true).json().elements.first)
        expect(point["tabs"].integer == 5 && point["lostTabs"].integer == 0)
        expect(point["reason"], is: .text("opening"))
        let time = try require(point["takenAt"].text)
        expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil)
        // Nothing of the window changed since, so the point has records of the same size of its own.
        expect(point["bytes"].integer ?? 0 > 0)
        let du = try run("du", json: true).json()
        expect(du["restorePointBytes"] == point["bytes"] && du["restorePoints"].integer == 1)
        expect(try run("du").output.contains(/\nrestore points +\S+ (bytes|KiB) +1\n/))
        let line = try run("points").output
        let number = try require(point["point"].text)
        expect(
            line.contains(
                /^\d+  \d+ bytes  (today|yesterday) \d\d:\d\d · 5 tabs · as the store was opened\n$/
            )
        )
        expect(line.hasPrefix(number))
        let empty = workspace.store("directory", "empty")
        try Tool.run(["init", "--storage", empty]).expectSuccess()
        expect(try Tool.run(["points", "--storage", empty]).output == "no restore points\n")
    }

    @Test func differences() async throws {
        let lines = try run("diff", "latest", "current").expectSuccess().split(separator: "\n")
        expect(lines.map(\.first), is: ["-", "-", "-", "-", "+", "s"])
        expect(lines[0].contains("session  \(Self.other)"))
        expect(lines[1].contains("Title 1") && lines[1].contains("in \(Self.window)"))
        expect(lines.last, is: "sessions: 1 gone; tabs: 3 gone, 1 new")
        let json = try run("diff", "latest", "current", json: true).json()
        expect(json["counts"]["tabs"]["removed"].integer, is: 3)
        expect(json["entries"].elements.first?["change"], is: .text("removed"))
        expect(try run("diff", "current", "current").output == "nothing differs\n")
        let copy = workspace.file("copy")
        try FileSystem.copy(workspace.file("profile"), to: copy)
        expect(try run("diff", "current", copy).output == "nothing differs\n")
        expect(
            try Tool.run(["diff", copy, workspace.file("profile")]).output == "nothing differs\n")
        try run("diff", "77", "current").expectRefusal("does not keep restore point 77")
    }

    @Test func find() throws {
        let hits = try run("find", "title PAGE-3", json: true).json().elements
        expect(hits.count == 1 && hits[0]["place"] == .text("gone"))
        expect(hits[0]["session"], is: .text("\(Self.other)"))
        expect(try run("find", "title 0").output.contains("open, in Work"))
        let gone = try run("find", "3 title").output
        expect(gone.contains(/seen last (today|yesterday) \d\d:\d\d in .*, point \d+/))
        let nothing = try run("find", "title 7")
        expect(nothing.status == 2 && nothing.output == "nothing was found\n")
        expect(try run("find", " ").status == 64)
    }

    @Test func showAt() throws {
        let tabs = try run("show", "\(Self.other)", "--at", "latest", json: true).json()["tabs"]
        expect(tabs.elements.count, is: 2)
        let prefix = String("\(Self.other)".prefix(18))
        let found = try run("show", prefix, "--at", "latest", json: true).json()
        expect(found["session"], is: .text("\(Self.other)"))
        expect(try run("show", "\(Self.other)").status == 2)
        expect(try run("show", "\(Self.window)", "--previous", "--at", "1").status == 64)
    }

    @Test("A dry run says line by line what restore then does")
    func restore() async throws {
        let dry = try run("restore", "--at", "latest", "--dry-run")
        let lines = dry.output.split(separator: "\n")
        expect(lines.count == 5 && lines.last == "1 session, 3 tabs would be brought back")
        expect(lines[0].contains("Title 1") && lines[0].contains("into \(Self.window)"))
        let done = try run("restore", "--at", "latest").expectSuccess()
        expect(done.hasPrefix("1 session, 3 tabs were brought back\n"))
        expect(try await tabs(Self.other)?.count == 2)
        let key = TabStateKey(tab: Self.tab(3).id, name: .navigation, in: Self.other)
        let state = try await workspace.withStore(store) { try await $0.state(of: key) }
        expect(state, is: [1, 2, 3])
    }

    @Test("Restoring displaces no point that was there, and takes the one before restoring")
    func pointsStay() async throws {
        for number in UInt64(10)..<19 {
            var changes = SessionChanges()
            changes.put(Self.tab(number), in: Self.window)
            try await workspace.withStore(store) { [changes] in _ = try await $0.save(changes) }
        }
        func numbers() throws -> [String?] {
            try run("points", json: true).json().elements.map { $0["point"].text }
        }
        // As many as are kept of openings on one day.
        let before = try numbers()
        let oldest = try require(before.last ?? nil)
        expect(try run("restore", "--at", "latest").output.hasPrefix("nothing was changed\n"))
        expect(try numbers() == before && before.count == 10)
        let done = try run("restore", "--at", oldest).expectSuccess()
        expect(done.hasPrefix("1 session, 3 tabs were brought back\n"), "\(done)")
        let after = try numbers()
        expect(after.count == 11 && Array(after.dropFirst()) == before)
    }

    /// Takes a point with a name in which the window has one more tab, which then goes.
    private func takePoint(named name: String, with tab: UInt64) async throws -> RestorePointID {
        try await workspace.withStore(store) { open in
            var changes = SessionChanges()
            changes.put(Self.tab(tab), in: Self.window)
            try await open.save(changes)
            let point = try await open.takeRestorePoint(name: name, pinned: false)
            var removal = SessionChanges()
            removal.remove(Self.tab(tab).id, from: Self.window)
            try await open.save(removal)
            return point.id
        }
    }

    @Test("A point goes by its name, the newest of several with that name; a number is one first")
    func names() async throws {
        let first = try require(try run("points", json: true).json().elements.first?["point"].text)
        _ = try await takePoint(named: "for lunch", with: 6)
        let newest = try await takePoint(named: "for lunch", with: 7)
        _ = try await takePoint(named: first, with: 8)
        let named = try run("diff", "for lunch", "current")
        let numbered = try run("diff", "\(newest)", "current")
        expect(named.output == numbered.output && named.output.contains("Title 7"))
        let back = try run("restore", "--at", "for lunch", "--dry-run")
        expect(back.output.contains("Title 7"), "\(back.messages)")
        expect(try run("show", "\(Self.window)", "--at", "for lunch").output.contains("Title 7"))
        expect(!(try run("show", "\(Self.window)", "--at", first).output.contains("Title 8")))
        for command in [["diff", "supper", "current"], ["restore", "--at", "supper"]] {
            try Tool.run(command + ["--storage", store]).expectRefusal(
                "does not keep restore point 'supper'")
        }
    }

    @Test("Of a point and a store beside that have one name, the store is compared")
    func nameOfAStore() async throws {
        _ = try await takePoint(named: "copy", with: 8)
        try FileSystem.copy(workspace.file("profile"), to: workspace.file("copy"))
        let beside = try Tool.run(
            ["diff", "copy", "current", "--storage", store],
            through: ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", workspace.path])
        expect(beside.output, is: "nothing differs\n", "\(beside.messages)")
        expect(try run("diff", "copy", "current").output.contains("Title 8"))
    }

    @Test("A plan goes over a file; lines are left out, and a second time there is nothing to do")
    func plans() async throws {
        let file = workspace.file("plan")
        let written = try run("restore", "--at", "latest", "--without", "4", "--plan-to", file)
            .expectSuccess()
        expect(written.hasSuffix("1 session, 2 tabs would be brought back\n"))
        try run("restore", "--at", "latest", "--plan-to", file).expectRefusal("plan")
        let done = try run("restore", "--plan", file, json: true)
        let json = try done.json()
        expect(json["done"]["tabs"]["added"].integer, is: 2)
        expect(try await tabs(Self.other)?.count == 1)
        expect(try await tabs(Self.window)?.count == 4)
        let again = try run("restore", "--plan", file)
        expect(again.output.hasPrefix("nothing was changed\n"))
        try Data([1, 2, 3]).write(to: URL(filePath: workspace.file("noise")))
        try run("restore", "--plan", workspace.file("noise")).expectRefusal("is no restore plan")
        expect(try run("restore").status == 64)
        expect(try run("restore", "--plan", file, "--replace").status == 64)
    }
}
