import ArgumentParser
import BrowserSessions
import CommandLineSupport
import Foundation
import ToolSupport

struct Forget: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Removes what leads to sites, from closed tabs, histories and restore points.",
        discussion: """
            Closed and inactive tabs on the sites go, and so do entries in the histories of open tabs, \
            states that name a site in bytes that are no history, the same in all restore points, everything \
            in the quarantine, and bytes in the files. Open tabs stay, and so does what is incognito.
            """)

    @Argument(
        help: ArgumentHelp(
            "The sites, such as 'example.org'; several with commas.", valueName: "sites"))
    var sites: String

    @Option(
        help: ArgumentHelp(
            """
            Keep what was visited before: a day as 2026-11-27, a moment as 2026-11-27T14:00:00Z, or as long \
            ago as 90m, 24h or 7d.
            """, valueName: "moment"))
    var since: String?

    @Flag(help: "Only say what would be forgotten.")
    var dryRun = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func validate() throws {
        if let since, Self.moment(since, now: .now()) == nil {
            throw ValidationError(
                "'\(since)' is no moment; write 2026-11-27, 2026-11-27T14:00:00Z, 90m, 24h or 7d")
        }
    }

    func change() async throws {
        let words = sites.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let forgotten = try ForgottenSites(
            words, since: since.flatMap { Self.moment($0, now: .now()) })
        let receipt = try await store.withStore(to: purpose) { store in
            try await store.erase(.sites(forgotten, isDryRun: dryRun))
        }
        try output.report(answer(forgotten, receipt))
    }

    /// Returns what was forgotten: numbers alone, beside the sites that were named.
    private func answer(_ sites: ForgottenSites, _ receipt: ForgettingReceipt) -> Answer {
        let counts = [
            counted(receipt.closedTabs, "closed tab"),
            counted(receipt.historyEntries, "entry of histories", "entries of histories"),
            counted(receipt.states, "state"),
            counted(receipt.earlierTabs, "tab of restore points", "tabs of restore points"),
            counted(receipt.quarantined, "item of the quarantine", "items of the quarantine"),
        ].joined(separator: ", ")
        let open = counted(receipt.openTabs, "open tab")
        return Answer(
            [
                "isDryRun": dryRun, "sites": sites.hosts, "since": sites.since?.iso,
                "closedTabs": receipt.closedTabs, "historyEntries": receipt.historyEntries,
                "states": receipt.states, "earlierTabs": receipt.earlierTabs,
                "quarantined": receipt.quarantined, "openTabs": receipt.openTabs,
            ], "\(counts) \(done("forgotten"))",
            receipt.openTabs > 0
                ? "\(open) on the sites stay; close them and forget again" : nil)
    }

    /// Returns the moment that a text names; `nil` if it names none.
    static func moment(_ text: String, now: Timestamp) -> Timestamp? {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400]
        if let last = text.last, let unit = units[last], let count = Int64(text.dropLast()),
            (0...100_000_000).contains(count)
        {
            return Timestamp(microseconds: now.microseconds - count * unit * 1_000_000)
        }
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: day))
        else { return nil }
        return Timestamp(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000)
    }
}
