import BrowserSessions

/// The sessions, tabs, blobs, and order keys of random sequences: few, so that changes often meet.
///
/// Windows and tabs have the same identifiers in both partitions, which must not matter.
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

    static func sessions(in partition: StoragePartition) -> [SessionID] {
        sessions.filter { $0.partition == partition }
    }

    static let tabs: [TabID] = (1...8).map { TabID(high: 0x30DE1, low: $0) }

    static let states: [StateName] = [.native, .navigation] + ["form"].compactMap(StateName.init)

    /// All keys of both partitions, by partition, tab, and name.
    static let keys: [TabStateKey] = StoragePartition.allCases.flatMap { keys(in: $0) }

    static func keys(in partition: StoragePartition) -> [TabStateKey] {
        tabs.flatMap { tab in states.map { TabStateKey(tab: tab, name: $0, partition: partition) } }
    }

    /// The nodes of sequences that have some; the last has the identifier of a tab.
    static let nodes: [NodeID] =
        (1...7).map { NodeID(high: 0x60095, low: $0) } + tabs.suffix(1).map { NodeID($0) }

    // MARK: - Places

    /// The meaning of an order key for its tab: pinned tabs are first, wherever tabs go, so that random
    /// lists hardly ever break a rule.
    enum Area: CaseIterable {
        case pinned, first, middle, last

        /// A few order keys, so that tabs share them; some are prefixes of others.
        var places: [OrderKey] {
            let bytes: [[UInt8]] =
                switch self {
                case .pinned: [[2], [2, 2]]
                case .first: [[10], [10, 1, 2], [10, 2]]
                case .middle: [[30], [30, 1, 1, 2], [31]]
                case .last: [[50], [255, 255, 255, 255, 255, 255, 255, 255, 2]]
                }
            return bytes.compactMap { OrderKey(bytes: $0) }
        }
    }

    // MARK: - Short names

    /// Returns `r2` for a regular session, `i1` for an incognito one.
    static func short(_ id: SessionID) -> String {
        let number = sessions(in: id.partition).firstIndex(of: id).map { "\($0 + 1)" } ?? "?"
        return (id.partition == .regular ? "r" : "i") + number
    }

    static func short(_ tab: TabID) -> String { "t\(tab.low)" }

    /// Returns `n3` for a node, and `t3` for a tab, also as a parent.
    static func short(_ node: NodeID) -> String {
        (tabs.contains(TabID(node)) ? "t" : "n") + "\(node.low)"
    }

    static func short(_ key: TabStateKey) -> String {
        "\(short(key.tab)).\(key.name.rawValue)" + (key.partition == .regular ? "" : " incognito")
    }
}
