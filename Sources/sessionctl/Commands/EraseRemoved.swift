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

    fileprivate struct Answer: Encodable {
        var isDryRun: Bool
        var keptSessions: Int
        /// The bytes by which the store's files became smaller; in a dry run, the most they could. `nil`
        /// if the backend keeps no files.
        var freedBytes: Int?
    }

    func change() async throws {
        let selection = try store.resolve(to: dryRun ? .look : .change)
        let before = dryRun ? nil : try selection.use()?.total
        var answer = try await withOpen(selection) { store in
            if !dryRun { try await store.eraseRemoved() }
            let summaries = try await store.summaries()
            return Answer(
                isDryRun: dryRun,
                keptSessions: summaries.count { $0.id.kind.role != .notes },
                freedBytes: summaries.reduce(0) { $0 + $1.byteCount })
        }
        let after = try selection.use()?.total
        let left = dryRun ? answer.freedBytes : after
        answer.freedBytes = (before ?? after).map { max(0, $0 - (left ?? 0)) }
        try output.report(answer, text: [answer.line])
    }
}

extension EraseRemoved.Answer {
    fileprivate var line: String {
        let sessions = counted(keptSessions, "session")
        let freed = freedBytes.map(ByteWords.words)
        if isDryRun {
            return "\(sessions) would be kept, nothing else left"
                + (freed.map { "; at most \($0) would be freed" } ?? "")
        }
        return "\(sessions) kept, nothing else left" + (freed.map { "; \($0) freed" } ?? "")
    }
}
