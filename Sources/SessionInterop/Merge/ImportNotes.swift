import BrowserSessions

/// The origin of sessions: a profile or file, and its format.
struct ImportOrigin: Hashable {
    var format = ""
    /// The absolute path without links. For a file in a profile, it is the path of the profile.
    /// Empty for sessions that did not come from a file.
    var place = ""
    /// The time at which the browser made the profile, as it notes it; empty if unknown.
    var profile = ""

    /// Returns whether both are the same profile or file; `nil` if only their content can tell.
    ///
    /// A profile is known by the time at which it was made, wherever it is now, and otherwise by its
    /// place. Two folders that are both there are two profiles. Where identifiers last, they tell what
    /// belongs together, and nothing else does.
    func isOne(with other: ImportOrigin) -> Bool? {
        guard format == other.format else { return false }
        if !profile.isEmpty, !other.profile.isEmpty { return profile == other.profile }
        if SourceFile.areSame(place, other.place) { return true }
        let format = SessionFormat(rawValue: format)
        let hasLastingIDs = format?.traits.contains(.hasLastingIDs) == true
        return hasLastingIDs || kind == .directory && other.kind == .directory ? false : nil
    }

    /// What is at the place now; `nil` if nothing is there.
    var kind: SourceFile.Kind? { (try? SourceFile.kind(of: place)) ?? nil }

    /// Returns the origin to note for what is from this one and is imported from another one now.
    func moved(to now: ImportOrigin) -> ImportOrigin {
        place == now.place || kind == nil ? now : self
    }
}

/// The notes about an imported session.
struct NotedWindow: Hashable {
    var origin: ImportOrigin
    /// The latest name of the session in an import.
    var source: SessionID
    /// The current or former name of the session in the store.
    var ours: SessionID
    /// The digest at import; see `SessionAttributes.contentPrint`.
    var attributes: UInt64
    /// The time at which it was closed, if it was closed in the source at import.
    var closedAt: Timestamp?
    var groups: [Group] = []
    /// The tabs in the order of the source, followed by those that the source no longer has.
    var tabs: [Tab] = []

    struct Group: Hashable {
        var ours: NodeID
        /// The digest at import; see `StructureNode.contentPrint`.
        var content: UInt64
    }

    struct Tab: Hashable {
        /// The latest name of the tab in an import.
        var source: TabID
        /// The name of the tab in the store. If no session there has it, it was removed since.
        var ours: TabID
        /// The tab as the source last had it.
        var print: TabPrint
        /// The digest at import; see `TabSnapshot.contentPrint`.
        var content: UInt64
        /// The index of the tab's group.
        var group: Int?
    }
}

extension NotedWindow {
    /// Notes the groups of a source. Returns their indexes. A group that was noted and changed here
    /// since, or that a source which lacks something has, keeps its digest.
    mutating func note(
        _ new: [(group: StructureNode, noted: Group?)], _ nodesThere: [StructureNode],
        onlyAdds: Bool
    ) -> [NodeID: Int] {
        var indexOf: [NodeID: Int] = [:]
        for (index, group) in groups.enumerated() { indexOf[group.ours] = index }
        for (group, before) in new {
            let index = indexOf[group.id] ?? groups.count
            indexOf[group.id] = index
            let here = nodesThere.first { $0.id == group.id }
            let isKept = before != nil && (onlyAdds || here?.contentPrint != before?.content)
            let content = isKept ? before?.content ?? group.contentPrint : group.contentPrint
            let entry = Group(ours: group.id, content: content)
            if index == groups.count { groups.append(entry) } else { groups[index] = entry }
        }
        return indexOf
    }
}

extension NotedWindow.Tab {
    /// Creates the note about a tab as the source has it, with the indexes of noted groups.
    init(_ placed: PlacedTab, _ indexOf: [NodeID: Int]) {
        let metadata = placed.snapshot.metadata
        self.init(
            source: placed.source, ours: metadata.id, print: placed.print,
            content: placed.content, group: metadata.group.flatMap { indexOf[$0] })
        if placed.decision == .leave, let kept = placed.noted?.tab {
            (content, group) = (kept.content, kept.group)
        }
    }
}

extension OrderKey {
    /// Returns ascending keys between two neighbors, which grow with the logarithm of their count.
    static func spread(_ count: Int, between lower: OrderKey?, and upper: OrderKey?) -> [OrderKey] {
        guard count > 0 else { return [] }
        let middle = OrderKey.between(lower, and: upper)
        return spread(count / 2, between: lower, and: middle) + [middle]
            + spread(count - count / 2 - 1, between: middle, and: upper)
    }
}

// MARK: - Text

/// One line for each window, group and tab:
///
/// ```
/// W <source> <ours> <content> <closed at, or ->
/// G <ours> <content>
/// T <source> <ours, or = for the same> <address> <history> <content> <group, or ->
/// ```
///
/// Digests are hexadecimal, and other numbers are decimal. The lines hold no address and no title.
extension NotedWindow {
    var lines: [String] {
        let closed = closedAt.map { String($0.microseconds) } ?? "-"
        var lines = ["W \(source) \(ours) \(hex(attributes)) \(closed)"]
        lines += groups.map { "G \($0.ours) \(hex($0.content))" }
        lines += tabs.map { tab in
            let ours = tab.ours == tab.source ? "=" : "\(tab.ours)"
            let prints = [tab.print.address, tab.print.history, tab.content].map { hex($0) }
            return "T \(tab.source) \(ours) \(prints.joined(separator: " "))"
                + " \(tab.group.map { String($0) } ?? "-")"
        }
        return lines
    }

    /// Reads the windows; `nil` if a line does not have the form of ``lines``.
    static func read(_ text: String, origin: ImportOrigin) -> [NotedWindow]? {
        var windows: [NotedWindow] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.first == "W" {
                guard let window = NotedWindow(fields, origin) else { return nil }
                windows.append(window)
            } else {
                guard let last = windows.indices.last, windows[last].add(fields) else { return nil }
            }
        }
        return windows
    }

    private init?(_ fields: [Substring], _ origin: ImportOrigin) {
        guard fields.count == 5, let source = SessionID(String(fields[1])),
            let ours = SessionID(String(fields[2])), let content = UInt64(fields[3], radix: 16)
        else { return nil }
        self.init(origin: origin, source: source, ours: ours, attributes: content)
        guard fields[4] != "-" else { return }
        guard let time = Int64(fields[4]) else { return nil }
        closedAt = Timestamp(microseconds: time)
    }

    private mutating func add(_ fields: [Substring]) -> Bool {
        if fields.count == 3, fields[0] == "G", let ours = NodeID(String(fields[1])),
            let content = UInt64(fields[2], radix: 16)
        {
            groups.append(Group(ours: ours, content: content))
            return true
        }
        guard fields.count == 7, fields[0] == "T", let source = TabID(String(fields[1])),
            let ours = fields[2] == "=" ? source : TabID(String(fields[2])),
            let address = UInt64(fields[3], radix: 16),
            let history = UInt64(fields[4], radix: 16),
            let content = UInt64(fields[5], radix: 16)
        else { return false }
        var group: Int?
        if fields[6] != "-" {
            guard let index = Int(fields[6]), groups.indices.contains(index) else { return false }
            group = index
        }
        tabs.append(
            Tab(
                source: source, ours: ours, print: TabPrint(address: address, history: history),
                content: content, group: group))
        return true
    }

    private func hex(_ number: UInt64) -> String { String(number, radix: 16) }
}
