import BrowserSessions

/// The sessions, tabs, blobs and places of random sequences: few, so that changes often meet.
///
/// Windows and tabs have the same identifiers on both sides, which must not matter.
enum ModelNames {
    /// The most bytes of a blob in the stores of this group.
    static let maximumStateBytes = 2_000

    static let sessions: [SessionID] = {
        let windows = (1...2).map { WindowID(high: 0x30DE1, low: $0) }
        let kinds: [SessionKind] = [.regular, .recentlyClosed, .incognito]
        return windows.flatMap { window in
            kinds.map { SessionID(window: window, kind: $0) }
        } + [SessionID(window: windows[0], kind: .setAside)]
    }()

    static func sessions(on side: StorageSide) -> [SessionID] {
        sessions.filter { $0.side == side }
    }

    static let tabs: [TabID] = (1...8).map { TabID(high: 0x30DE1, low: $0) }

    static let states: [StateName] = [.native, .navigation] + ["form"].compactMap(StateName.init)

    /// All keys of both sides, by side, tab and name.
    static let keys: [TabStateKey] = StorageSide.allCases.flatMap { keys(on: $0) }

    static func keys(on side: StorageSide) -> [TabStateKey] {
        tabs.flatMap { tab in states.map { TabStateKey(tab: tab, name: $0, side: side) } }
    }

    /// Two groups, which any session may have.
    static let groups: [TabGroupID] = [1, 2].map { TabGroupID(high: 0x30DE1, low: $0) }

    // MARK: - Places

    /// What a place says of its tab: pinned tabs are first and groups in one piece, wherever tabs
    /// go, so that random lists hardly ever break a rule.
    enum Area: CaseIterable {
        case pinned, first, firstGroup, middle, secondGroup, last

        /// Few, so that tabs share places; some begin with others.
        var places: [OrderKey] {
            let bytes: [[UInt8]] =
                switch self {
                case .pinned: [[2], [2, 2]]
                case .first: [[10], [10, 1, 2], [10, 2]]
                case .firstGroup: [[20], [20, 5]]
                case .middle: [[30], [30, 1, 1, 2], [31]]
                case .secondGroup: [[40], [40, 200]]
                case .last: [[50], [255, 255, 255, 255, 255, 255, 255, 255, 2]]
                }
            return bytes.compactMap { OrderKey(bytes: $0) }
        }

        var group: TabGroupID? {
            switch self {
            case .firstGroup: groups[0]
            case .secondGroup: groups[1]
            default: nil
            }
        }
    }

    // MARK: - Short names

    /// `r2` for a regular session, `i1` for an incognito one.
    static func short(_ id: SessionID) -> String {
        let number = sessions(on: id.side).firstIndex(of: id).map { "\($0 + 1)" } ?? "?"
        return (id.side == .regular ? "r" : "i") + number
    }

    static func short(_ tab: TabID) -> String { "t\(tab.low)" }

    static func short(_ key: TabStateKey) -> String {
        "\(short(key.tab)).\(key.name.rawValue)" + (key.side == .regular ? "" : " incognito")
    }
}
