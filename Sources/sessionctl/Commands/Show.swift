import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows one session: its tabs in order and, if asked, the state they have.")

    @Argument(help: "The session as 'list' names it: WINDOW-UUID/kind.")
    var session: String

    @Flag(help: "Also show the blobs of each tab and their sizes.")
    var states = false

    @Flag(help: "Show the previous generation.")
    var previous = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    private struct Tab: Encodable {
        var id: String
        var url: String
        var title: String
        var isActive: Bool
        var isPinned: Bool
        var group: String?
        var states: [String: Int]?
    }

    private struct Answer: Encodable {
        var session: String
        var title: String
        var provenance: String
        var losses: [String]
        var repairs: [String]
        var tabs: [Tab]
    }

    func validate() throws {
        guard SessionID(session) == nil else { return }
        throw ValidationError("'\(session)' is not a session; write WINDOW-UUID/kind")
    }

    func run() async throws {
        guard let id = SessionID(session) else { return }
        let answer = try await store.withStore { store in
            let generation: SessionGeneration = previous ? .previous : .current
            guard let restored = try await store.restore(id, generation: generation) else {
                throw StorageError(.notFound, "the store has no session \(id)", operation: "show")
            }
            return try await describe(restored, store)
        }
        try output.print(answer, text: lines(answer))
        if !answer.losses.isEmpty { throw ExitCode.damaged }
    }

    private func describe(_ restored: RestoredSession, _ store: any SessionStorage) async throws
        -> Answer
    {
        var sizes: [TabID: [String: Int]] = [:]
        for key in states ? try await store.stateKeys(in: restored.id) : [] {
            sizes[key.tab, default: [:]][key.name.rawValue] = try await store.state(of: key)?.count
        }
        let titles = Dictionary(
            restored.attributes.groups.map { ($0.id, $0.title) }, uniquingKeysWith: { $1 })
        let tabs = restored.tabs.map { tab in
            Tab(
                id: tab.id.description, url: tab.url, title: tab.title,
                isActive: tab.id == restored.attributes.activeTab, isPinned: tab.isPinned,
                group: tab.group.map { titles[$0] ?? $0.description },
                states: states ? sizes[tab.id] ?? [:] : nil)
        }
        return Answer(
            session: restored.id.description, title: restored.attributes.title,
            provenance: restored.provenance.rawValue,
            losses: restored.losses.map { "\($0.kind.rawValue): \($0.detail)" },
            repairs: restored.repairs.map(\.kind.rawValue), tabs: tabs)
    }

    private func lines(_ answer: Answer) -> [String] {
        let marks = answer.tabs.map { tab in
            (tab.isActive ? "*" : " ") + (tab.isPinned ? "p" : " ")
        }
        let rows = zip(answer.tabs, marks).map { tab, mark in
            [mark, tab.title, tab.url, tab.group.map { "[\($0)]" } ?? ""]
                + (tab.states ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        }
        return ["\(answer.session)  \(answer.provenance)  \(answer.title)"] + Console.table(rows)
            + answer.losses.map { "loss: \($0)" } + answer.repairs.map { "repair: \($0)" }
    }
}
