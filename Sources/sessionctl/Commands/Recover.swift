import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Check: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads everything and reports damage; repairs nothing.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        let selection = try store.resolve(to: .look)
        let (report, losses) = try await withOpen(selection) { store in
            let report = try await store.check()
            return (report, await StoreLosses(of: report, in: store))
        }
        try output.print(report.answer())
        if !losses.isEmpty {
            Console.messages(losses.lines(of: selection.argument, isPartial: nil))
        }
        if !report.isHealthy { throw ExitCode.damaged }
    }
}

struct Repair: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repairs what is damaged, after setting it aside, and accepts what is lost.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    @Flag(help: "Also remove all damaged bytes that are set aside, of earlier repairs too.")
    var purgeQuarantine = false

    @Flag(help: "Only say what is damaged, and would be accepted as lost.")
    var dryRun = false

    func change() async throws {
        if dryRun {
            let report = try await store.withStore(to: .look) { try await $0.check() }
            return try output.report(report.answer(planned: report.plan(purging: purgeQuarantine)))
        }
        let report = try await store.withStore(to: .change) { store in
            var report = try await store.repair()
            if purgeQuarantine {
                try await store.erase(.quarantine)
                report.quarantined = try await store.check().quarantined
            }
            return report
        }
        try output.print(report.answer())
        if !report.isHealthy { throw ExitCode.damaged }
    }
}

extension RecoveryReport {
    /// - Parameter planned: what a repair would do; `nil` for what was found or done.
    fileprivate func answer(planned: String? = nil) -> Answer {
        let read = [
            counted(sessions, "session"), counted(tabs, "tab"), counted(states, "state"),
            counted(bytesRead, "byte"),
        ].joined(separator: ", ")
        let losses = losses.map { loss in
            let place = [
                loss.session?.description, loss.tab?.description, loss.node?.description,
            ].compactMap(\.self)
            return ([loss.kind.rawValue] + place).joined(separator: " ") + ": " + loss.detail
        }
        return Answer(
            [
                "sessions": sessions, "tabs": tabs, "states": states, "bytesRead": bytesRead,
                "losses": losses, "notes": notes, "quarantined": quarantined,
                "discardedIncognitoPartitions": discardedIncognitoPartitions,
                "incognitoProblem": incognitoProblem, "isHealthy": isHealthy,
                "isRepaired": isRepaired, "planned": planned,
            ], "\(read) read", losses.map { "loss: \($0)" }, notes.map { "note: \($0)" },
            quarantined.map { "set aside: \($0)" }, planned ?? verdict)
    }

    /// Returns what a repair would do.
    fileprivate func plan(purging: Bool) -> String {
        let losses =
            isHealthy ? nil : counted(losses.count, "loss", "losses") + " would be accepted"
        let purged =
            purging && !quarantined.isEmpty
            ? counted(quarantined.count, "item") + " of the quarantine would be removed" : nil
        let incognito = incognitoProblem.map { _ in "incognito sessions would be set aside" }
        let parts = [losses, incognito, purged].compactMap(\.self)
        return parts.isEmpty ? "nothing would be changed" : parts.joined(separator: ", ")
    }

    private var verdict: String {
        if incognitoProblem != nil { return "incognito sessions cannot be read" }
        if isRepaired, !losses.isEmpty { return "repaired: what is left can be read" }
        return isHealthy ? "everything that was saved can be read" : "something was lost"
    }
}
