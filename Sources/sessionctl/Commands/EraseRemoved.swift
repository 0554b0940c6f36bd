import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageEngines
import ToolSupport

struct EraseRemoved: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase-removed",
        abstract: "Leaves nothing in the store of what was removed, replaced or set aside before.")

    @Flag(help: "Only say what would be kept, and how much would be freed at most.")
    var dryRun = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func change() async throws {
        let selection = try store.resolve(to: purpose)
        let before = dryRun ? nil : try selection.use()?.total
        let summaries = try await withOpen(selection) { store in
            if !dryRun { try await store.erase(.removedData) }
            return try await store.summaries()
        }
        let after = try selection.use()?.total
        let left = dryRun ? summaries.reduce(0) { $0 + $1.byteCount } : after
        let freed = (before ?? after).map { max(0, $0 - (left ?? 0)) }
        let kept = summaries.count { $0.id.kind.role != .notes }
        let amount = freed.map(ByteWords.words).map {
            dryRun ? "; at most \($0) would be freed" : "; \($0) freed"
        }
        try output.report(
            Answer(
                ["isDryRun": dryRun, "keptSessions": kept, "freedBytes": freed],
                "\(counted(kept, "session")) \(done("kept")), nothing else left\(amount ?? "")"))
    }
}
