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
        let use = try selection.use()
        let items = try selection.folder.map(QuarantinedItem.items)?.count
        let (summaries, points, pointBytes, sessions) = try await withOpen(selection) { store in
            let summaries = try await store.summaries().filter { $0.id.kind.role != .notes }
            return (
                summaries, try await store.restorePoints().count,
                try await store.readableRestorePointBytes()?.all,
                try await Self.sessions(summaries, of: store)
            )
        }
        let files = { partition in use.map { $0.partitions[partition] ?? 0 } }
        let sizes: [(name: String, bytes: Int?, remark: String)] = [
            (
                "all sessions", summaries.reduce(0) { $0 + $1.byteCount },
                counted(summaries.count, "session")
            ),
            ("restore points", pointBytes, "\(points)"), ("regular files", files(.regular), ""),
            ("incognito files", files(.incognito).flatMap { $0 == 0 ? nil : $0 }, ""),
            ("quarantine", use?.quarantine, items.map { counted($0, "item") } ?? ""),
            ("all files", use?.total, ""), ("free on the disk", use?.free, ""),
        ]
        var sums = TextTable([.init(), .init(isNumber: true), .init(least: 12)])
        for (name, bytes, remark) in sizes where bytes != nil || name == "restore points" {
            sums.add([name, bytes.map(ByteWords.words) ?? "-", remark])
        }
        try output.print(
            Answer(
                [
                    "sessions": sessions.rows, "restorePoints": points,
                    "restorePointBytes": pointBytes, "regularFiles": files(.regular),
                    "incognitoFiles": files(.incognito), "quarantine": use?.quarantine,
                    "quarantinedItems": items, "files": use?.total, "free": use?.free,
                ], sessions, "", sums))
    }

    /// Returns the sizes of all sessions, the largest first.
    private static func sessions(_ summaries: [SessionSummary], of store: any SessionStorage)
        async throws -> TextTable
    {
        var table = TextTable(
            [
                .init(heading: "session"), .init(heading: "title", least: 8),
                .init(heading: "tabs", isNumber: true), .init(heading: "size", isNumber: true),
            ], ifEmpty: "no sessions")
        for summary in summaries.sorted(by: { ($1.byteCount, $0.id) < ($0.byteCount, $1.id) }) {
            var title = summary.title
            if title.isEmpty { title = try await store.restore(summary.id)?.activeTabTitle ?? "" }
            table.add(
                [
                    "session": "\(summary.id)", "title": title, "tabs": summary.tabCount,
                    "bytes": summary.byteCount,
                ],
                [
                    "\(summary.id)", title.isEmpty ? "-" : title, "\(summary.tabCount)",
                    ByteWords.words(summary.byteCount),
                ])
        }
        table.shortenSessions()
        return table
    }
}
