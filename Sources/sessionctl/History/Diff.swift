import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Diff: LookingCommand {
    static let configuration = CommandConfiguration(
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
            try print(
                SessionDifference(
                    from: try await from.sessions(of: nil, nil),
                    to: try await to.sessions(of: nil, nil)))
            return
        }
        var difference = SessionDifference(from: [], to: [])
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: false, used: .previous
        ) { store, tell in
            difference = SessionDifference(
                from: try await from.sessions(of: store, tell),
                to: try await to.sessions(of: store, tell))
        }
        try print(difference)
        try losses.conclude()
    }

    private func print(_ difference: SessionDifference) throws {
        try output.print(
            difference, rows: difference.entries, text: DifferenceText(difference).lines)
    }
}

/// A difference in lines for people.
struct DifferenceText {
    private let difference: SessionDifference

    init(_ difference: SessionDifference) { self.difference = difference }

    private static let signs: [SessionDifference.Change: String] = [
        .removed: "-", .moved: ">", .changed: "~", .added: "+",
    ]

    var lines: [String] {
        if difference.isEmpty { return ["nothing differs"] }
        var table = TextTable([.init(), .init(), .init(least: 16), .init(least: 16)])
        for entry in difference.entries {
            table.add([
                Self.signs[entry.change] ?? "", entry.item.sort, Self.name(of: entry),
                Self.place(of: entry),
            ])
        }
        return table.lines + [TextTable.cut(summary)]
    }

    private static func name(of entry: SessionDifference.Entry) -> String {
        if case .session(let id) = entry.item, entry.title.isEmpty { return id.description }
        return entry.title.isEmpty ? "-" : entry.title
    }

    /// Where it is or was, and what changed.
    private static func place(of entry: SessionDifference.Entry) -> String {
        let (before, after) = (entry.before?.session, entry.after?.session)
        if case .session(let id) = entry.item {
            let fields = entry.fields.joined(separator: ", ")
            return entry.title.isEmpty ? fields : [id.description, fields].joined(separator: " ")
        }
        guard let before, let after else {
            return (before ?? after).map { "in \($0)" } ?? ""
        }
        if before != after { return "from \(before) to \(after)" }
        return "in \(after): \(entry.fields.joined(separator: ", "))"
    }

    private var summary: String {
        let counts = [
            (difference.sessionCounts, "session"), (difference.tabCounts, "tab"),
            (difference.nodeCounts, "node"),
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
