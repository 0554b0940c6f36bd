import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageEngines
import ToolSupport

struct DiskUse: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "du",
        abstract: "Shows the space that sessions, and the files of the store, take.",
        discussion: """
            A session's size is that of its records, and that of restore points is what only they keep. The \
            files are larger by what logs and free pages take, too, which 'erase-removed' gives back in part.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        let selection = try store.resolve(to: .look)
        var answer = SpaceUse(try selection.use(), try selection.folder.map(QuarantinedItem.items))
        answer.sessions = try await withOpen(selection) { store in
            answer.restorePoints = try await store.restorePoints().count
            answer.restorePointBytes = try await store.readableRestorePointBytes()?.all
            return try await Self.sessions(of: store)
        }
        try output.print(answer, styled: answer.lines)
    }

    /// Returns the sizes of all sessions, the largest first.
    private static func sessions(of store: any SessionStorage) async throws -> [SpaceUse.Session] {
        let summaries = try await store.summaries().sorted {
            ($1.byteCount, $0.id) < ($0.byteCount, $1.id)
        }
        var sessions: [SpaceUse.Session] = []
        for summary in summaries where summary.id.kind.role != .notes {
            var title = summary.title
            if title.isEmpty { title = try await store.restore(summary.id)?.activeTabTitle ?? "" }
            sessions.append(
                SpaceUse.Session(
                    session: "\(summary.id)", title: title, tabs: summary.tabCount,
                    bytes: summary.byteCount))
        }
        return sessions
    }
}

/// The space that a store takes, as printed.
private struct SpaceUse: Encodable {
    struct Session: Encodable {
        var session: String
        var title: String
        var tabs: Int
        var bytes: Int
    }

    var sessions: [Session] = []
    /// The number of restore points, which are in the files of the regular partition.
    var restorePoints = 0
    /// What only they keep; `nil` if it cannot be read.
    var restorePointBytes: Int?
    /// The sizes of files; `nil` if the backend keeps none.
    var regularFiles: Int?
    var incognitoFiles: Int?
    var quarantine: Int?
    var quarantinedItems: Int?
    var files: Int?
    /// The free space of the file system; `nil` if it does not say.
    var free: Int?

    init(_ use: StoreUse?, _ items: [QuarantinedItem]?) {
        regularFiles = use?.partitions[.regular] ?? use.map { _ in 0 }
        incognitoFiles = use?.partitions[.incognito] ?? use.map { _ in 0 }
        quarantine = use?.quarantine
        quarantinedItems = items?.count
        files = use?.total
        free = use?.free
    }

    var lines: [StyledLine] {
        let whole = sessions.map(\.session)
        var table = table(whole)
        if let width = TextTable.terminalWidth, table.width > width {
            table = self.table(SessionPrefix.shortest(of: whole))
        }
        return (sessions.isEmpty ? [StyledLine("no sessions")] : table.styledLines())
            + [StyledLine("")] + sums.styledLines()
    }

    private func table(_ names: [String]) -> TextTable {
        var table = TextTable([
            .init(heading: "session"), .init(heading: "title", least: 8),
            .init(heading: "tabs", isNumber: true), .init(heading: "size", isNumber: true),
        ])
        for (name, session) in zip(names, sessions) {
            let title = session.title.isEmpty ? "-" : session.title
            table.add([name, title, "\(session.tabs)", ByteWords.words(session.bytes)])
        }
        return table
    }

    private var sums: TextTable {
        var table = TextTable([.init(), .init(isNumber: true), .init(least: 12)])
        func add(_ name: String, _ bytes: Int?, _ remark: String = "") {
            if let bytes { table.add([name, ByteWords.words(bytes), remark]) }
        }
        let all = sessions.reduce(0) { $0 + $1.bytes }
        add("all sessions", all, counted(sessions.count, "session"))
        let points = restorePointBytes.map(ByteWords.words) ?? "-"
        table.add(["restore points", points, "\(restorePoints)"])
        add("regular files", regularFiles)
        if incognitoFiles != 0 { add("incognito files", incognitoFiles) }
        add("quarantine", quarantine, quarantinedItems.map { counted($0, "item") } ?? "")
        add("all files", files)
        add("free on the disk", free)
        return table
    }
}
