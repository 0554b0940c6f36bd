import ArgumentParser
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Show: LookingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows one session: its tabs in order and, if asked, the state they have.")

    @Argument(
        help: "The session as 'list' names it, or the beginning of that: 0C24 or 0C24/kind.",
        completion: .custom { words, index, _ in await StoreCompletion.sessions(words, index) },
        transform: SessionPrefix.init(parsing:))
    var session: SessionPrefix

    @Flag(help: "Also show the blobs of each tab and their sizes.")
    var states = false

    @Flag(help: "Also show the identifiers of tabs, as short as 'rm' takes them.")
    var ids = false

    @Flag(help: "Show the session as it was at the newest restore point.")
    var previous = false

    @Option(help: "Show the session as it was at this restore point: a number, a name, or latest.")
    var at: PointArgument?

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func validate() throws {
        if previous, at != nil { throw ValidationError("write --previous or --at, not both") }
    }

    func look() async throws {
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: false,
            used: previous || at != nil ? .previous : nil
        ) { store, tell in
            let point =
                previous
                ? try await store.restorePoints().first : try await at?.point(of: store)
            let version = point.map { SessionVersion.point($0.id) } ?? .current
            let id = try await session.session(in: store, at: at == nil ? .current : version)
            guard !previous || point != nil,
                let restored = try await store.restore(id, at: version)
            else {
                throw StorageError(
                    .notFound,
                    "the store has no session \(id)"
                        + (previous || at != nil ? " of an earlier time" : ""),
                    operation: "show")
            }
            for loss in restored.losses { tell?(loss) }
            try await show(restored, at: version, store, tell)
        }
        try losses.conclude()
    }

    private func show(
        _ restored: RestoredSession, at version: SessionVersion, _ store: any SessionStorage,
        _ tell: LossHandler?
    ) async throws {
        var keys: [TabID: [TabStateKey]] = [:]
        if states {
            keys = Dictionary(
                grouping: try await store.stateKeys(in: restored.id, at: version), by: \.tab)
        }
        var tabs: [ShownTab] = []
        for tab in restored.tabs {
            var shown = ShownTab(tab, of: restored)
            if states {
                shown.states = try await sizes(
                    keys[tab.id] ?? [], restored.id, version, store, tell)
            }
            if output.format == .jsonLines {
                try output.printLine(shown)
            } else {
                tabs.append(shown)
            }
        }
        guard output.format != .jsonLines else { return }
        let answer = ShownSession(restored, tabs)
        try output.print(answer, text: answer.lines(withIDs: ids))
    }

    private func sizes(
        _ keys: [TabStateKey], _ session: SessionID, _ version: SessionVersion,
        _ store: any SessionStorage, _ tell: LossHandler?
    ) async throws -> [String: Int] {
        let states = try await store.readableStates(of: keys, in: session, at: version, tell)
        return Dictionary(
            uniqueKeysWithValues: states.map { ($0.key.name.rawValue, $0.value.count) })
    }
}

/// A session, as printed.
private struct ShownSession: Encodable {
    var session: String
    var title: String
    var provenance: String
    var losses: [String]
    var repairs: [String]
    var tabs: [ShownTab]

    init(_ restored: RestoredSession, _ tabs: [ShownTab]) {
        session = restored.id.description
        title = restored.attributes.title
        provenance = restored.provenance.rawValue
        losses = restored.losses.map { "\($0.kind.rawValue): \($0.detail)" }
        repairs = restored.repairs.map(\.kind.rawValue)
        self.tabs = tabs
    }

    func lines(withIDs hasIDs: Bool) -> [String] {
        let names = hasIDs ? SessionPrefix.shortest(of: tabs.map(\.id)) : []
        var table = TextTable(
            [.init()] + (hasIDs ? [.init()] : [])
                + [.init(least: 12), .init(least: 16), .init(least: 8)]
                + Array(repeating: .init(), count: tabs.map { $0.states?.count ?? 0 }.max() ?? 0))
        for (index, tab) in tabs.enumerated() {
            var row = tab.row
            if hasIDs { row.insert(names[index], at: 1) }
            table.add(row)
        }
        let heading = "\(session)  \(provenance)" + (title.isEmpty ? "" : "  \(title)")
        return [TextTable.cut(heading)] + table.lines
            + repairs.map { "repair: \($0)" }
    }
}

/// A tab, as printed.
private struct ShownTab: Encodable {
    var id: String
    var url: String
    var title: String
    var isActive: Bool
    var isPinned: Bool
    var group: String?
    /// The sizes of its blobs by name; `nil` if not requested.
    var states: [String: Int]?

    init(_ tab: TabMetadata, of session: RestoredSession) {
        id = tab.id.description
        url = tab.url
        title = tab.title
        isActive = tab.id == session.attributes.activeTab
        isPinned = tab.isPinned
        group = tab.group.map { id in
            session.nodes.first { $0.id == id }?.name ?? id.description
        }
    }

    var row: [String] {
        let mark = (isActive ? "*" : " ") + (isPinned ? "p" : " ")
        return [mark, title, url, group.map { "[\($0)]" } ?? ""]
            + (states ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    }
}
