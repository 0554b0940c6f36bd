public import BrowserSessions

/// A generator of sessions that look like real ones: for one seed, the same on every platform.
///
/// All samples follow the rules of tab lists: pinned tabs come first, groups are contiguous,
/// openers are earlier in the same list, and the active tab exists. Restoring one needs no repairs.
public struct SessionSampler: Hashable, Sendable {
    /// The source of everything random in the samples. Each sample advances it.
    public var generator: SeededGenerator

    /// Creates a sampler. Samplers with equal seeds return equal samples for the same calls.
    public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The time of the newest samples, 2026-01-01T00:00:00Z. The oldest are 60 days older.
    public static let now = Timestamp(microseconds: 1_767_225_600_000_000)

    /// Returns a window with its tabs. The metadata does not depend on `state`.
    ///
    /// - Parameter kind: The kind of the session.
    /// - Parameter state: The state of its tabs.
    /// - Parameter count: The number of tabs, from 0 to 10,000 and more. There is no limit.
    public mutating func window(
        tabs count: Int, kind: SessionKind = .regular, state: SampleState = .none
    ) -> SessionSnapshot {
        let id = SessionID(window: .random(using: &generator), kind: kind)
        let pinned = min(generator.integer(in: 0...8), count / 10)
        var tabs = OrderKey.evenlySpaced(count: count).map { tab(at: $0) }
        for index in tabs.indices {
            tabs[index].isPinned = index < pinned
            tabs[index].opener = opener(ofTabAt: index, in: tabs)
        }
        let groups = makeGroups(of: &tabs, after: pinned)
        let active = tabs.isEmpty ? nil : generator.integer(in: 0...tabs.count - 1)
        if let active { tabs[active].lastActiveAt = Self.now }
        let attributes = SessionAttributes(
            title: generator.chance(1, in: 5) ? SampleText.title(&generator) : "",
            activeTab: active.map { tabs[$0].id },
            createdAt: tabs.map(\.createdAt).min() ?? Self.now,
            lastActiveAt: Self.now,
            properties: ["frame": "\(generator.integer(in: 0...400)) 0 1280 800"])
        let snapshots = tabs.map { TabSnapshot(metadata: $0, states: state.blobs(of: $0)) }
        return SessionSnapshot(id: id, attributes: attributes, tabs: snapshots, nodes: groups)
    }

    /// Returns several windows, each with its own identifier and tabs.
    public mutating func windows(
        _ count: Int, tabs: Int, kind: SessionKind = .regular, state: SampleState = .none
    ) -> [SessionSnapshot] {
        (0..<count).map { _ in window(tabs: tabs, kind: kind, state: state) }
    }

    /// Returns an unpinned tab without a group or an opener.
    public mutating func tab(at place: OrderKey) -> TabMetadata {
        let url = SampleText.url(&generator)
        let isInternal = url.hasPrefix("about:")
        let now = Int(Self.now.microseconds)
        let age = generator.integer(in: 0...60 * 24 * 3600 - 1) * 1_000_000
        let created = now - age - generator.integer(in: 0...999_999)
        let idle = age / 1_000_000
        let active = now - generator.integer(in: 0...idle) * 1_000_000
        var tab = TabMetadata(
            id: .random(using: &generator),
            place: place,
            url: url,
            title: isInternal ? "" : SampleText.title(&generator),
            createdAt: Timestamp(microseconds: Int64(created)),
            lastActiveAt: Timestamp(microseconds: Int64(active)),
            navigationItemCount: historyLength())
        if !isInternal, generator.chance(7, in: 10) {
            tab.faviconURL = SampleText.faviconURL(of: url, &generator)
        }
        if generator.chance(1, in: 20) { tab.properties["zoom"] = generator.pick(["80", "125"]) }
        if generator.chance(1, in: 40) { tab.properties["muted"] = "true" }
        return tab
    }

    // MARK: - Parts of a window

    /// Returns a number of entries up to 50. Four of five entries lead to another one.
    private mutating func historyLength() -> Int32 {
        var count: Int32 = 1
        while count < 50, generator.chance(4, in: 5) { count += 1 }
        return count
    }

    /// Returns an opener for a third of the tabs: one of the ten tabs before.
    private mutating func opener(ofTabAt index: Int, in tabs: [TabMetadata]) -> TabOpener? {
        guard index > 0, generator.chance(1, in: 3) else { return nil }
        let opener = tabs[index - generator.integer(in: 1...min(index, 10))]
        let entry = generator.integer(in: 0...Int(opener.navigationItemCount) - 1)
        return TabOpener(tab: opener.id, navigationIndex: Int32(entry))
    }

    /// Groups runs of 2 to 12 tabs, with gaps of up to 30 between them.
    private mutating func makeGroups(of tabs: inout [TabMetadata], after pinned: Int)
        -> [StructureNode]
    {
        var groups: [StructureNode] = []
        var index = pinned + generator.integer(in: 0...10)
        while index + 2 <= tabs.count {
            var group = group()
            let end = min(index + generator.integer(in: 2...12), tabs.count)
            for member in index..<end { tabs[member].group = group.id }
            group.place = tabs[index].place
            groups.append(group)
            index = end + generator.integer(in: 0...30)
        }
        return groups
    }

    mutating func group() -> StructureNode {
        StructureNode.group(
            id: .random(using: &generator),
            name: generator.chance(1, in: 4) ? "" : generator.pick(SampleWords.latin),
            color: TabGroupColor(rawValue: Int32(generator.integer(in: 0...8))),
            isCollapsed: generator.chance(1, in: 4))
    }
}
