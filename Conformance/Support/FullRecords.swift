import BrowserSessions

/// A session in which every field of every record has its own value, not the default.
enum FullRecords {
    static let session: ExpectedSession = {
        let groups = (1...2).map { TabGroupID(high: 0x600, low: $0) }
        let tabs = OrderKey.evenlySpaced(count: 5).enumerated().map { index, place in
            tab(index, at: place, in: groups)
        }
        return ExpectedSession(
            id: Plain.session(77),
            attributes: SessionAttributes(
                title: "A window", activeTab: tabs[3].id,
                groups: [
                    TabGroup(id: groups[0], title: "First", color: .cyan, isCollapsed: true),
                    TabGroup(id: groups[1], title: "Second", color: .orange),
                ],
                createdAt: Timestamp(microseconds: 1_600_000_000_000_001),
                lastActiveAt: Timestamp(microseconds: 1_600_000_000_000_002),
                properties: ["frame": "0 0 800 600", "screen": "2"]),
            tabs: tabs)
    }()

    private static func tab(_ index: Int, at place: OrderKey, in groups: [TabGroupID])
        -> TabMetadata
    {
        let number = Int64(index)
        let group = index == 0 ? nil : groups[index < 3 ? 0 : 1]
        return TabMetadata(
            id: TabID(high: 0xABCD_EF01_2345_6789, low: 0x9876_5432_10FE_DC00 + UInt64(index)),
            place: place,
            url: "https://example.org/\(index)?q=1#f", title: "Title \(index)",
            faviconURL: "https://example.org/icon\(index).png",
            createdAt: Timestamp(microseconds: 1_650_000_000_000_003 + number),
            lastActiveAt: Timestamp(microseconds: 1_660_000_000_000_007 + number),
            navigationItemCount: Int32(index) + 3,
            isPinned: index == 0,
            group: group,
            opener: index == 0
                ? nil
                : TabOpener(
                    tab: TabID(high: 0xABCD_EF01_2345_6789, low: 0x9876_5432_10FE_DC00),
                    navigationIndex: Int32(index)),
            properties: ["zoom": "1\(index)0", "muted": "true"])
    }
}
