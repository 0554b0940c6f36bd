import BrowserSessions
import SessionSamples

/// Numbered change sets over two sessions each, so that a store shows which ones it applied.
///
/// Set `n` writes `n` into the attributes of both sessions and into tab `n % ring` of each, with a
/// state that only set `n` has. After set `n`, the tabs must therefore show the last `ring`
/// numbers.
struct NumberedSets: Sendable {
    /// The largest number of tabs in each session.
    static let ring = 6

    /// The size of the states.
    var stateBytes = 200
    /// Whether each set also moves a tab between two other sessions, removes one, and has an id.
    var wanders = false
    /// After how many sets a restore point with its number as the name is taken, the last but two is
    /// released; `nil` for none.
    var pointsEach: Int?

    static let sessions = [1, 2].map { SessionID(window: WindowID(high: 0xC0, low: $0)) }

    func changes(_ number: Int) -> SessionChanges {
        var changes = SessionChanges()
        for session in Self.sessions {
            let tab = Self.tab(number, in: session)
            changes.put(SessionAttributes(title: "\(number)"), for: session)
            changes.put(tab, in: session)
            changes.put(
                Self.state(number, bytes: stateBytes),
                for: Self.stateKey(number, in: session))
        }
        if wanders {
            WanderingTabs.add(number, to: &changes)
            changes.commitID = CommitID(high: 0xC2, low: UInt64(number))
        }
        return changes
    }

    /// Returns the number of the last set that the store applied, 0 if none. Throws a ``Violation``
    /// if the store is not, or was not at a restore point, exactly as the sets up to that one leave it.
    func lastApplied(in store: any SessionStorage, at version: SessionVersion = .current)
        async throws -> Int
    {
        var last: Int?
        for session in Self.sessions {
            let restored = try await requireSuccess("restore threw") {
                try await store.restore(session, at: version)
            }
            let number = try await check(restored, session, store, version)
            if let last, last != number {
                throw Violation(
                    "half a set is there: one session is at set \(last), the other at \(number)")
            }
            last = number
        }
        if wanders { try await WanderingTabs.check(last ?? 0, in: store, at: version) }
        return last ?? 0
    }

    private func check(
        _ restored: RestoredSession?, _ session: SessionID, _ store: any SessionStorage,
        _ version: SessionVersion
    ) async throws -> Int {
        guard let restored else { return 0 }
        guard restored.provenance == (version == .current ? .intact : .restorePoint) else {
            throw Violation("a session is not intact but \(restored.provenance.rawValue)")
        }
        let last = try unwrap(Int(restored.attributes.title), "the attributes are of no set")
        let shown = restored.tabs.map { Int($0.title) ?? -1 }
        let expected = Array(max(1, last - Self.ring + 1)...last).sorted {
            $0 % Self.ring < $1 % Self.ring
        }
        if let later = shown.first(where: { $0 > last }) {
            throw Violation("a later set is there without an earlier one: \(later), not \(last)")
        }
        guard shown == expected else {
            let missing = expected.filter { !shown.contains($0) }
            throw Violation(
                missing == [last]
                    ? "half a set is there: the attributes of set \(last) without its tab"
                    : "a later set is there without an earlier one: \(last), not \(missing)")
        }
        let keys = restored.tabs.map { TabStateKey(tab: $0.id, name: .native, partition: .regular) }
        let states = try await store.states(of: keys, at: version)
        for (number, key) in zip(shown, keys)
        where states[key]?.equals(Self.state(number, bytes: stateBytes)) != true {
            throw Violation("half a set is there: the tab of set \(number) without its state")
        }
        return last
    }

    /// Returns the key of the state that set `number` writes in a session; equal bytes in each.
    static func stateKey(_ number: Int, in session: SessionID) -> TabStateKey {
        TabStateKey(tab: tab(number, in: session).id, name: .native, in: session)
    }

    private static func tab(_ number: Int, in session: SessionID) -> TabMetadata {
        let slot = number % ring
        return TabMetadata(
            id: TabID(high: session.window.low, low: UInt64(slot)),
            place: OrderKey.evenlySpaced(count: ring)[slot],
            url: "https://example.org/\(number)", title: "\(number)")
    }

    private static func state(_ number: Int, bytes: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(number))
        return SampleState.blob(bytes: bytes, using: &generator)
    }
}
