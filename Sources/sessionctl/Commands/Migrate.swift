import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Migrate: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Copies all sessions from one store to a new one and compares the two.",
        discussion: """
            The source stays as it is. Incognito sessions are copied only if asked. A copy that was \
            interrupted goes on when it is run again.
            """)

    @Option(help: "The store to copy: its path, or a URL.", completion: .directory)
    var from: String

    @Option(
        help: "The new store, as a URL; it must not hold other sessions than notes of a launch.",
        completion: .custom { words, index, _ in StoreCompletion.urls(words, index) })
    var to: String

    @Flag(name: .customLong("include-incognito"), help: "Also copy incognito sessions.")
    var includesIncognito = false

    @Flag(help: "Copy what can be read, if not all of it can.")
    var partial = false

    @Flag(help: "Only say what would be copied.")
    var dryRun = false

    @OptionGroup var output: FormatArguments

    var afterInterruption: String? { "run it again, and it goes on where it was" }

    func change() async throws {
        let source = try ResolvedSelection.named(from, by: "--from", to: .make)
        let target = try ResolvedSelection.named(to, by: "--to", to: .make)
        var migration = StoreMigration(
            from: source.backend, at: source.configuration,
            to: target.backend, at: target.configuration)
        migration.includesIncognito = includesIncognito
        guard !migration.isOntoItself else {
            throw StorageError(
                .invalidConfiguration,
                "--from and --to are the same store; a copy needs a place of its own")
        }
        var copied = SessionCopy.Result()
        let losses = try await withSource(source, of: migration) { store in
            try await LossesToTell.telling(
                of: store, at: source.argument, isPartial: partial, reading: .metadata,
                incognito: includesIncognito
            ) { losses in
                copied =
                    dryRun
                    ? try await migration.plan(from: store, losses: losses)
                    : try await copy(store, migration, losses)
            }
        }
        try output.report(answer(copied))
        Console.remarkIncognitoLeft(
            sessions: copied.incognitoSessionsLeft, tabs: copied.incognitoTabsLeft)
        try losses.conclude()
    }

    /// Opens the source, for a dry run beside the process that has it open.
    private func withSource<Result>(
        _ source: ResolvedSelection, of migration: StoreMigration,
        _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        guard dryRun else { return try await migration.withSource(work) }
        return try await withOpen(source, to: .look) { store in
            if includesIncognito { try store.requireIncognito("migrate") }
            return try await work(store)
        }
    }

    private func copy(
        _ source: any SessionStorage, _ migration: StoreMigration, _ losses: LossHandler?
    ) async throws -> SessionCopy.Result {
        let copying = Progress("copying", "session")
        let comparing = Progress("comparing", "tab")
        defer {
            copying.finish()
            comparing.finish()
        }
        return try await migration.copy(from: source, losses: losses) { step, done, total in
            (step == .copying ? copying : comparing).update(done, of: total)
        }
    }

    private func answer(_ copied: SessionCopy.Result) -> Answer {
        let amount = [
            counted(copied.sessions, "session"), counted(copied.tabs, "tab"),
            counted(copied.states, "state"),
        ].joined(separator: ", ")
        let there = counted(copied.sessionsThere, "of these sessions was", "of these sessions were")
        let digest = dryRun ? nil : copied.digest
        return Answer(
            [
                "sessions": copied.sessions, "tabs": copied.tabs, "states": copied.states,
                "sessionsThere": copied.sessionsThere,
                "incognitoSessionsLeft": copied.incognitoSessionsLeft,
                "incognitoTabsLeft": copied.incognitoTabsLeft,
                "incognitoProblem": copied.incognitoProblem, "sha256": digest,
            ], "\(amount) \(done("copied"))",
            copied.sessionsThere > 0 ? "\(there) there already, whole or in part" : nil,
            digest.map { "both stores hold the same\(scope(copied)): \($0)" })
    }

    private func scope(_ copied: SessionCopy.Result) -> String {
        let isWhole = copied.incognitoSessionsLeft == 0 && copied.incognitoProblem == nil
        return isWhole ? "" : " but for incognito sessions"
    }
}
