import ArgumentParser
import BrowserSessions
import SessionInterop
import ToolSupport

struct Digest: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest",
        abstract: "Prints a SHA-256 of all sessions: equal contents, equal digests.",
        discussion: """
            The digest depends on the content alone, not on the backend or the way the content came \
            there. A damaged store has none: exit code 1.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        var digest = ""
        _ = try await store.tellingLosses(
            isPartial: false, reading: .nothing, incognito: true
        ) { store, _ in
            let progress = Progress("reading", "tab")
            defer { progress.finish() }
            digest = try await ContentDigest.compute(of: store, progress: { progress.update($0) })
        }
        try output.print(Answer(["sha256": digest], digest))
    }
}
