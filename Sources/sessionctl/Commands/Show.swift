import ArgumentParser
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Show: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
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
        let keys =
            states
            ? Dictionary(
                grouping: try await store.stateKeys(in: restored.id, at: version), by: \.tab) : [:]
        let names = ids ? SessionPrefix.shortest(of: restored.tabs.map { "\($0.id)" }) : []
        var table = TextTable(
            [.init()] + names.prefix(1).map { _ in .init() }
                + [.init(least: 12), .init(least: 16), .init(least: 8)])
        for (index, tab) in restored.tabs.enumerated() {
            let sizes =
                states
                ? try await sizes(keys[tab.id] ?? [], restored.id, version, store, tell) : nil
            let row = Self.row(tab, of: restored, ids ? [names[index]] : [], sizes)
            if try !output.printRow(row) { table.add(row) }
        }
        let (id, title) = ("\(restored.id)", restored.attributes.title)
        let (provenance, repairs) = (restored.provenance.rawValue, restored.repairs)
        try output.print(
            Answer(
                [
                    "session": id, "title": title, "provenance": provenance,
                    "losses": restored.losses.map { "\($0.kind.rawValue): \($0.detail)" },
                    "repairs": repairs.map(\.kind.rawValue), "tabs": table.rows,
                ], rows: [],
                TextTable.cut("\(id)  \(provenance)" + (title.isEmpty ? "" : "  \(title)")), table,
                repairs.map { "repair: \($0.kind.rawValue)" }))
    }

    /// - Parameters:
    ///   - name: the short identifier, if it is shown.
    ///   - states: the sizes of its blobs by name; `nil` if not requested.
    private static func row(
        _ tab: TabMetadata, of session: RestoredSession, _ name: [String], _ states: [String: Int]?
    ) -> TextTable.Row {
        let isActive = tab.id == session.attributes.activeTab
        let group = tab.group.map { id in
            session.nodes.first { $0.id == id }?.name ?? id.description
        }
        let mark = (isActive ? "*" : " ") + (tab.isPinned ? "p" : " ")
        let fields: Fields = [
            "id": "\(tab.id)", "url": tab.url, "title": tab.title, "isActive": isActive,
            "isPinned": tab.isPinned, "group": group, "states": states,
        ]
        let sizes = (states ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return TextTable.Row(
            fields, [mark] + name + [tab.title, tab.url, group.map { "[\($0)]" } ?? ""] + sizes)
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
