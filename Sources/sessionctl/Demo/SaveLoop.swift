public import ArgumentParser
public import BrowserSessions
import CommandLineSupport
import ToolSupport

/// A command that saves one small change after another and reports each one until it is killed, for
/// `demo` and tests. It continues where an earlier loop on the same store was killed.
struct SaveLoop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save-loop", abstract: "Saves and acknowledges until killed.",
        shouldDisplay: false)

    @OptionGroup var store: StoreArguments

    @Option(help: "What each save must survive.")
    var durability = Durability.powerLoss

    @Option(help: "Save nothing; check that at least so many saves are there, in full.")
    var verify: Int?

    /// The session that the loop changes; its title counts the saves.
    static let session = SessionID(window: WindowID(high: 0x10_0B, low: 1))
    static let tabs = 50

    /// Returns the tab that save number `count` changes.
    static func tab(of count: Int) -> TabMetadata {
        let number = count % tabs
        return TabMetadata(
            id: TabID(high: 0x10_0B, low: UInt64(number + 1)),
            place: OrderKey.evenlySpaced(count: tabs)[number],
            url: "https://loop.example/\(count)", title: "Save \(count)",
            navigationItemCount: Int32(truncatingIfNeeded: count))
    }

    func run() async throws {
        if let verify {
            let found = try await store.withStore(to: .look) { store in
                try await SaveLoopCheck.verify(store, acknowledged: verify)
            }
            return try Console.line("found \(found)")
        }
        try await store.withStore(to: .make) { store in
            let earlier = try await SaveLoopCheck.verify(store, acknowledged: 0)
            for count in (earlier + 1)... {
                var changes = SessionChanges()
                changes.put(SessionAttributes(title: "\(count)"), for: Self.session)
                let tab = Self.tab(of: count)
                changes.put(tab, in: Self.session)
                changes.put(
                    NavigationHistory(url: tab.url, title: tab.title).encoded(),
                    for: TabStateKey(tab: tab.id, name: .navigation, in: Self.session))
                _ = try await store.save(changes, durability: durability)
                try Console.line("saved \(count)")
            }
        }
    }
}

/// A check of what a store holds after a loop was killed.
struct SaveLoopCheck {
    /// Returns the `n` of at least `acknowledged` for which the store holds exactly the first `n`
    /// saves. Throws if there is none.
    static func verify(_ store: any SessionStorage, acknowledged: Int) async throws -> Int {
        let restored = try await store.restore(SaveLoop.session)
        let saved = restored.flatMap { Int($0.attributes.title) } ?? 0
        guard saved >= acknowledged else {
            throw StorageError(
                .corrupted, "\(acknowledged) saves were acknowledged, \(saved) are there")
        }
        guard let restored else { return 0 }
        guard saved > 0, restored.provenance == .intact, restored.repairs.isEmpty else {
            throw StorageError(.corrupted, "the session is not as a save leaves it")
        }
        var expected: [TabID: TabMetadata] = [:]
        for count in max(1, saved - SaveLoop.tabs + 1)...saved {
            expected[SaveLoop.tab(of: count).id] = SaveLoop.tab(of: count)
        }
        let found = Dictionary(uniqueKeysWithValues: restored.tabs.map { ($0.id, $0) })
        guard found == expected else {
            throw StorageError(.corrupted, "the tabs are not those of save \(saved)")
        }
        for tab in restored.tabs {
            let history = try await store.history(of: tab, in: SaveLoop.session)
            guard history == NavigationHistory(url: tab.url, title: tab.title) else {
                throw StorageError(.corrupted, "a tab's state is not that of its last save")
            }
        }
        return saved
    }
}

extension Durability: ExpressibleByArgument {}
