import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Points: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "points",
        abstract:
            "Lists the restore points, newest first: their size, when, how many tabs, and why.",
        discussion: """
            The numbers are what 'diff', 'show --at' and 'restore --at' take. The size is what goes when the \
            point alone is released; what several points share is in 'du'.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        var table = TextTable(
            [.init(isNumber: true), .init(isNumber: true), .init(least: 20)],
            ifEmpty: "no restore points")
        try await store.withStore(to: .look) { store in
            let released = try await store.readableRestorePointBytes()?.released
            for point in try await store.restorePoints() {
                let (id, bytes) = ("\(point.id)", released?[point.id])
                table.add(
                    [
                        "point": id, "takenAt": point.takenAt.iso, "reason": point.reason.rawValue,
                        "name": point.name, "isPinned": point.isPinned, "tabs": point.tabCount,
                        "lostTabs": point.lostTabCount, "bytes": bytes,
                    ], [id, bytes.map(ByteWords.words) ?? "-", point.text()])
            }
        }
        try output.print(Answer(table))
    }
}

extension SessionStorage {
    /// Returns what restore points take; `nil` if damage keeps that from being read, which 'check' reports.
    func readableRestorePointBytes() async throws(StorageError) -> RestorePointBytes? {
        do throws(StorageError) { return try await restorePointBytes() } catch {
            guard error.code == .corrupted else { throw error }
            return nil
        }
    }
}
