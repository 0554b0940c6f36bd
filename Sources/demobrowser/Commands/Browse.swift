import ArgumentParser
import BrowserSessions
import CommandLineSupport
import Foundation
import SessionRestoration
import ToolSupport

/// A command that opens the browser and performs its input line by line.
struct Browse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Opens the browser; 'help' lists its commands.")

    @OptionGroup var store: StoreArguments

    @Option(
        help: "A file with commands, one a line; - for standard input, where a wrong line ends it.",
        completion: .file())
    var script: String?

    @Flag(help: "Go on after a wrong line of a script.")
    var keepGoing = false

    @Option(help: "Seconds between the first change and the save of all changes since.")
    var saveDelay = 2.5

    @Option(help: "Write every change and save to a file, or with - to standard output.")
    var trace: String?

    @Flag(help: "Print as JSON what came back, and end.")
    var printState = false

    @Flag(help: "Bring windows back however often the browser crashed.")
    var ignoreCrashes = false

    func validate() throws {
        guard script != "-" || store.named.config != "-" else {
            throw ValidationError("--script and --config cannot both be standard input")
        }
        guard saveDelay >= 0, saveDelay <= 3600 else {
            throw ValidationError("--save-delay takes 0 to 3600 seconds")
        }
    }

    @MainActor
    func run() async throws {
        let lines = try script.map(readScript) ?? CommandLines.standardInput()
        // Kept until the end, so that a second signal does not interrupt the last save.
        let signals = TerminationSignals()
        var asked: TerminationSignal?
        try await store.withStore(to: .make) { asked = try await browse(lines, signals, $0) }
        asked?.endProcess()
        withExtendedLifetime(signals) {}
    }

    @MainActor
    private func browse(
        _ lines: CommandLines, _ signals: TerminationSignals, _ storage: any SessionStorage
    ) async throws -> TerminationSignal? {
        let isTraced = printState || trace != nil
        let trace = try isTraced ? Trace(path: trace, storage: storage) : nil
        let browser = try await Browser(
            storage: storage, policy: policy,
            whenRestored: { try await trace?.begin($0) })
        if let trace, printState {
            try await browser.close()
            try Console.line(trace.last)
            return nil
        }
        browser.onChange = { try trace?.change() }
        var session = CommandSession(
            browser: browser, endsAtMistakes: script != nil && !keepGoing)
        return try await session.run(lines, signals)
    }

    private var policy: RestorationPolicy {
        var policy = RestorationPolicy()
        policy.saveDelay = .seconds(saveDelay)
        if ignoreCrashes { policy.crashes.crashesUntilSetAside = .max }
        return policy
    }

    private func readScript(_ path: String) throws -> CommandLines {
        if path == "-" { return .standardInput() }
        do { return try CommandLines.file(path) } catch {
            throw ValidationError("the script '\(path)' can't be read: is the path right?")
        }
    }
}
