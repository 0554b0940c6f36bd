import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct RemoveItems: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Removes windows and tabs from a store; 'remove' removes the store.",
        discussion: """
            A window goes with its unused tabs; a session without any tab left goes, too. What is below a \
            tab takes its place. The whole is one change, and restore points still have what it takes. \
            'erase-removed' leaves nothing of it.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            Windows, other sessions, and tabs by their identifiers or the beginnings of them, as 'list' and \
            'show --ids' print them. One other word may be there: the store, as its path or URL.
            """, valueName: "item"),
        completion: .custom { words, index, _ in await StoreCompletion.sessions(words, index) })
    var items: [String]

    @Flag(help: "Only say what would be removed.")
    var dryRun = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: FormatArguments

    private var places: [String] { items.filter { !ItemFinder.isItem($0) } }

    func validate() throws {
        let places = places
        guard places.count <= 1 else {
            throw ValidationError(
                "'\(places[1])' is no session or tab, and '\(places[0])' is the store already; write the "
                    + "beginnings of identifiers, as 'list' and 'show' print them")
        }
        guard places.count < items.count else {
            throw ValidationError("no session or tab is named, only the store '\(places[0])'")
        }
        try store.check(places.first)
    }

    func change() async throws {
        let selection = try store.resolve(places.first, to: purpose)
        let plan = try await withOpen(selection) { store in
            let finder = try await ItemFinder(store)
            var found: [SessionRecord] = []
            for word in items where ItemFinder.isItem(word) { found.append(try finder.item(word)) }
            let plan = RemovalPlan(found, of: finder.sessions)
            guard !dryRun else { return plan }
            for changes in plan.changes { try await store.save(changes) }
            return plan
        }
        try output.report(answer(plan))
    }

    private func answer(_ plan: RemovalPlan) -> Answer {
        var table = TextTable([.init(), .init(least: 12), .init(least: 16)])
        for session in plan.sessions {
            let (id, name) = ("\(session.id)", session.attributes.title)
            let (title, tabs) = (name.isEmpty ? session.activeTabTitle : name, session.tabs.count)
            table.add(
                ["session": id, "title": title, "tabs": tabs], [id, title, counted(tabs, "tab")])
        }
        for (session, tabs) in plan.tabs {
            for tab in tabs {
                table.add(
                    [
                        "tab": "\(tab.id)", "session": "\(session.id)", "title": tab.title,
                        "url": tab.url,
                    ], ["\(tab.id)", tab.title, tab.url])
            }
        }
        let sessions = table.rows.prefix(plan.sessions.count)
        let tabs = table.rows.dropFirst(plan.sessions.count)
        let amounts = [
            sessions.isEmpty
                ? nil
                : counted(sessions.count, "session") + " with "
                    + counted(plan.sessions.reduce(0) { $0 + $1.tabs.count }, "tab"),
            tabs.isEmpty ? nil : counted(tabs.count, "single tab"),
        ]
        let amount = amounts.compactMap(\.self).joined(separator: " and ")
        return Answer(
            ["isDryRun": dryRun, "sessions": Array(sessions), "tabs": Array(tabs)], table,
            "\(amount) \(done("removed"))")
    }
}
