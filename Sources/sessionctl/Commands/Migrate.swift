import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import SessionInterop
import ToolSupport

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies all sessions from one store to a new one and compares the two.",
        discussion: """
            The source stays as it is. Incognito sessions are copied only if asked. A copy that was \
            interrupted goes on when it is run again.
            """)

    @Option(help: "The store to copy: its path, or a URL.")
    var from: String

    @Option(help: "The new store, as a URL; it must not hold other sessions.")
    var to: String

    @Flag(name: .customLong("include-incognito"), help: "Also copy incognito sessions.")
    var includesIncognito = false

    @Flag(help: "Copy what can be read, if not all of it can.")
    var partial = false

    @Flag(help: "Only say what would be copied.")
    var dryRun = false

    @OptionGroup var output: FormatArguments

    private struct Answer: Encodable {
        var sessions: Int
        var tabs: Int
        var states: Int
        /// How many of the sessions the target held before.
        var sessionsThere: Int
        /// Of both stores; absent if nothing was copied.
        var sha256: String?
    }

    func run() async throws {
        try await interruptible("migrate", "run it again, and it goes on where it was") {
            try await migrate()
        }
    }

    private func migrate() async throws {
        let source = try resolve("--from", from, to: .look)
        let target = try resolve("--to", to, to: dryRun ? .look : .make)
        let place = source.configuration.location
        guard !SamePlace.areOne(place, target.configuration.location) else {
            throw StorageError(
                .invalidConfiguration,
                "--from and --to are the same store; a copy needs a place of its own")
        }
        var copied = SessionCopy.Result()
        let losses = try await withOpen(source) { source in
            try await LossesToTell.telling(
                of: source, at: place, isPartial: partial, reading: .metadata
            ) { losses in
                copied =
                    dryRun
                    ? try await plan(source, target, losses)
                    : try await copy(source, target, losses)
            }
        }
        let answer = Answer(
            sessions: copied.sessions, tabs: copied.tabs, states: copied.states,
            sessionsThere: copied.sessionsThere, sha256: dryRun ? nil : copied.digest)
        try output.print(answer, text: lines(copied))
        try losses.conclude()
    }

    /// What would be copied. Where no store is, none is made.
    private func plan(
        _ source: any SessionStorage, _ target: ResolvedSelection, _ losses: LossHandler?
    ) async throws -> SessionCopy.Result {
        var opened: (any SessionStorage)?
        do throws(StorageError) {
            opened = try await target.open()
        } catch {
            if error.code != .notFound { throw error.ofTarget }
        }
        func plan(_ target: (any SessionStorage)?) async throws -> SessionCopy.Result {
            try await SessionCopy(
                from: source, to: target, includingIncognito: includesIncognito
            ).plan(losses: losses)
        }
        guard let opened else { return try await plan(nil) }
        return try await withOpen(opened) { try await plan($0) }
    }

    private func copy(
        _ source: any SessionStorage, _ target: ResolvedSelection, _ losses: LossHandler?
    ) async throws -> SessionCopy.Result {
        let opened: any SessionStorage
        do throws(StorageError) {
            opened = try await target.open()
        } catch {
            throw error.ofTarget
        }
        let copying = Progress("copying", "session")
        let comparing = Progress("comparing", "tab")
        defer {
            copying.finish()
            comparing.finish()
        }
        return try await withOpen(opened) { target in
            try await SessionCopy(
                from: source, to: target, includingIncognito: includesIncognito
            ).run(losses: losses) { step, done, total in
                (step == .copying ? copying : comparing).update(done, of: total)
            }
        }
    }

    private func lines(_ copied: SessionCopy.Result) -> [String] {
        let amount = [
            counted(copied.sessions, "session"), counted(copied.tabs, "tab"),
            counted(copied.states, "state"),
        ].joined(separator: ", ")
        let there = counted(copied.sessionsThere, "of these sessions was", "of these sessions were")
        return [dryRun ? "\(amount) would be copied" : "\(amount) copied"]
            + (copied.sessionsThere > 0 ? ["\(there) there already, whole or in part"] : [])
            + (dryRun ? [] : ["both stores hold the same: \(copied.digest)"])
    }

    private func resolve(_ argument: String, _ store: String, to purpose: StorePurpose)
        throws(StorageError) -> ResolvedSelection
    {
        var request = SelectionRequest(
            store: store, environment: [:],
            workingDirectory: FileManager.default.currentDirectoryPath)
        request.storeArgument = argument
        return try request.resolve(registry: .tool(), code: .code(options: purpose.options))
    }
}
