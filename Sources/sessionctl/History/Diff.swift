import ArgumentParser
import BrowserSessions
import CommandLineSupport
import RestorePlans
import ToolSupport

struct Diff: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what differs between two states: points, the present, other stores.",
        discussion: """
            A state is 'current', 'latest', the number or name of a restore point, or the path or URL of \
            another store. What is gone comes first, then what moved, what changed, and what is new. Private \
            sessions are in no difference.
            """)

    @Argument(help: "The earlier state: current, latest, a point, or another store.")
    var from: VersionArgument

    @Argument(help: "The later state.")
    var to: VersionArgument

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        guard from.isOfOwnStore || to.isOfOwnStore else {
            let difference = SessionDifference(
                from: try await from.sessions(of: nil, nil), to: try await to.sessions(of: nil, nil)
            )
            return try output.print(difference.answer)
        }
        var difference = SessionDifference(from: [], to: [])
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: false, used: .previous
        ) { store, tell in
            difference = SessionDifference(
                from: try await from.sessions(of: store, tell),
                to: try await to.sessions(of: store, tell))
        }
        try output.print(difference.answer)
        try losses.conclude()
    }
}

extension SessionDifference {
    fileprivate var answer: Answer {
        var table = TextTable(
            [.init(), .init(), .init(least: 16), .init(least: 16)], ifEmpty: "nothing differs")
        let signs: [Change: String] = [.removed: "-", .moved: ">", .changed: "~", .added: "+"]
        for entry in entries {
            let cells = [signs[entry.change] ?? "", entry.item.sort, entry.name, entry.place]
            table.add(TextTable.Row(entry, cells))
        }
        return Answer(
            value: self, rows: entries, table, isEmpty ? nil : TextTable.cut(summary))
    }

    private var summary: String {
        let counts = [
            (sessionCounts, "session"), (tabCounts, "tab"),
            (nodeCounts, "node"),
        ]
        return counts.compactMap { counts, word in
            let parts = [
                (counts.removed, "gone"), (counts.moved, "moved"), (counts.changed, "changed"),
                (counts.added, "new"),
            ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            return parts.isEmpty ? nil : "\(word)s: " + parts.joined(separator: ", ")
        }.joined(separator: "; ")
    }
}

extension SessionDifference.Entry {
    fileprivate var name: String {
        if case .session(let id) = item, title.isEmpty { return id.description }
        return title.isEmpty ? "-" : title
    }

    /// Where it is or was, and what changed.
    fileprivate var place: String {
        let changed = fields.joined(separator: ", ")
        if case .session(let id) = item { return title.isEmpty ? changed : "\(id) \(changed)" }
        guard let before = before?.session, let after = after?.session else {
            return (self.before ?? self.after).map { "in \($0.session)" } ?? ""
        }
        return before == after ? "in \(after): \(changed)" : "from \(before) to \(after)"
    }
}
