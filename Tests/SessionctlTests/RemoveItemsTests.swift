import BrowserSessions
import Expectations
import TestSupport

@testable import sessionctl

/// Windows and tabs are removed by their identifiers, each with what belongs to it.
struct RemoveItemsTests {
    private let workspace = Workspace()
    static let window = SessionID(window: WindowID(high: 0xAA00_0000_0000_0000, low: 1))
    static let other = SessionID(window: WindowID(high: 0xBB00_0000_0000_0000, low: 1))
    static let inactive = SessionID(window: window.window, kind: .inactive)
    static let secret = SessionID(
        window: WindowID(high: 0xCC00_0000_0000_0000, low: 1), kind: .incognito)

    static func id(_ number: UInt64) -> TabID { TabID(high: number << 56, low: number) }

    /// A window with the tabs 1 to 4 and an unused tab 5, one with tab 6, and a private one with tab 7.
    /// Tabs 2 and 3 are in a group, and 4 is below 3.
    private func changes() -> [SessionChanges] {
        let group = StructureNode.group(id: NodeID(high: 0xEE, low: 1), name: "Work")
        let keys = OrderKey.evenlySpaced(count: 8)
        func tab(_ number: UInt64, _ change: (inout TabMetadata) -> Void = { _ in }) -> TabMetadata
        {
            var tab = TabMetadata(
                id: Self.id(number), place: keys[Int(number)],
                url: "https://page-\(number).example/",
                title: "Page \(number)")
            change(&tab)
            return tab
        }
        var regular = SessionChanges()
        regular.put(SessionAttributes(title: "First", activeTab: Self.id(3)), for: Self.window)
        var placed = group
        placed.place = keys[2]
        regular.put(placed, in: Self.window)
        regular.put(tab(1), in: Self.window)
        regular.put(tab(2) { $0.group = group.id }, in: Self.window)
        regular.put(tab(3) { $0.group = group.id }, in: Self.window)
        regular.put(
            tab(4) {
                $0.parent = NodeID(Self.id(3))
                $0.edge = .branch
            }, in: Self.window)
        regular.put(SessionAttributes(), for: Self.inactive)
        regular.put(tab(5), in: Self.inactive)
        regular.put(SessionAttributes(), for: Self.other)
        regular.put(tab(6), in: Self.other)
        var secret = SessionChanges()
        secret.put(SessionAttributes(), for: Self.secret)
        secret.put(tab(7), in: Self.secret)
        return [regular, secret]
    }

    private func store(_ workspace: Workspace, _ backend: String = "directory") async throws
        -> String
    {
        let store = workspace.store(backend) + "?incognitoKeys=file"
        try await workspace.withStore(store) { store in
            for changes in changes() { try await store.save(changes) }
        }
        return store
    }

    private func rm(_ words: [String], of store: String, _ more: String...) throws -> ProgramOutcome
    {
        try Tool.run(["rm"] + words + ["--storage", store] + more)
    }

    private func contents(_ workspace: Workspace, _ store: String) async throws
        -> [SessionID: RestoredSession]
    {
        try await workspace.withStore(store) { store in
            let all = try await store.restore(store.sessions())
            return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        }
    }

    @Test(arguments: Workspace.backends)
    func aWindowGoesWithItsUnusedTabs(backend: String) async throws {
        let store = try await store(workspace, backend)
        let outcome = try rm(["aa00", "CC"], of: store).expectSuccess()
        expect(outcome.hasSuffix("\n3 sessions with 6 tabs removed\n"))
        expect(outcome.contains("First"))
        let left = try await contents(workspace, store)
        expect(left.keys.filter { $0.kind.role != .notes }, is: [Self.other])
    }

    @Test func whatIsBelowATabTakesItsPlace() async throws {
        let store = try await store(workspace)
        let dry = try rm(["\(Self.id(3))"], of: store, "--dry-run")
        expect(dry.output.hasSuffix("1 single tab would be removed\n"))
        expect(try rm(["\(Self.id(3))"], of: store).output.contains("Page 3"))
        let left = try require(try await contents(workspace, store)[Self.window])
        expect(left.repairs == [] && left.losses == [])
        expect(left.tabs.map(\.title), is: ["Page 1", "Page 2", "Page 4"])
        expect(left.tabs[2].group == left.nodes.first?.id && left.nodes.count == 1)
        expect(left.attributes.activeTab, is: Self.id(4))
    }

    @Test func agroupGoesWithItsLastTab() async throws {
        let store = try await store(workspace)
        try rm((UInt64(2)...4).map { "\(Self.id($0))" }, of: store).expectSuccess()
        let left = try require(try await contents(workspace, store)[Self.window])
        expect(left.repairs == [] && left.nodes == [])
        expect(left.tabs.map(\.title), is: ["Page 1"])
        expect(left.attributes.activeTab, is: Self.id(1))
    }

    @Test func aSessionGoesWithItsLastTab() async throws {
        let store = try await store(workspace)
        let json = try rm(["06000000", "07000000"], of: store, "--format", "json").json()
        expect(json["sessions"].elements.count == 2 && json["tabs"] == .array([]))
        let left = try await contents(workspace, store)
        expect(left[Self.other] == nil && left[Self.secret] == nil && left[Self.window] != nil)
    }

    @Test func wordsThatNameNothingOrSeveralChangeNothing() async throws {
        let store = try await store(workspace)
        try rm(["AA", "DD"], of: store).expectRefusal("no session or tab that begins with 'DD'")
        try rm(["0"], of: store).expectRefusal("'0' may be tab 0")
        expect(try Tool.run(["rm", "/a", "/b"]).status == 64)
        expect(try Tool.run(["rm", "/a"]).messages.contains("no session or tab is named"))
        expect(try Tool.run(["rm"]).status == 64)
        let left = try await contents(workspace, store)
        let kept = [Self.window, Self.inactive, Self.other, Self.secret]
        expect(kept.allSatisfy { left[$0] != nil })
    }

    @Test("What `show` prints of a tab, `rm` takes")
    func printedNames() async throws {
        let store = try await store(workspace)
        let lines = try Tool.run(["show", "AA", "--ids", "--storage", store]).output
            .split(separator: "\n").dropFirst()
        let names = lines.compactMap { line in
            line.split(separator: " ").first { $0.count >= 8 }.map(String.init)
        }
        expect(names, is: ["01000000", "02000000", "03000000", "04000000"])
        for name in names { try rm([name], of: store, "--dry-run").expectSuccess() }
    }

    @Test func theStoreIsOneOfTheWords() async throws {
        let store = try await store(workspace)
        let place = workspace.file("profile")
        try Tool.run(["rm", "BB", place, "--dry-run"]).expectSuccess()
        expect(try Shell.run("cd '\(place)' && $SESSIONCTL rm --quiet BB").output == "")
        expect(try await contents(workspace, store)[Self.other] == nil)
    }
}
