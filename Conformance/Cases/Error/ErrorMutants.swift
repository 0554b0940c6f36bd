import BrowserSessions
import Synchronization

extension Mutant {
    static let error: [Mutant] = [
        Mutant("creates-anyway", breaks: "ERROR-1", says: "no error was thrown") {
            configuration throws(StorageError) in
            var configuration = configuration
            configuration.options["create"] = nil
            return try ReferenceEngine.open(configuration)
        },
        Mutant("replaces-files", breaks: "ERROR-2", says: "opening at 'file'") {
            configuration throws(StorageError) in
            if try FileSystem.status(configuration.location)?.kind == .file {
                try FileSystem.remove(configuration.location)
            }
            return try ReferenceEngine.open(configuration)
        },
        Mutant("ignores-cancellation", breaks: "ERROR-3", says: "no error was thrown") {
            SavesInOwnTask(base: $0, thenLooks: false)
        },
        Mutant("notices-cancellation-late", breaks: "ERROR-3", says: "the sessions after save") {
            SavesInOwnTask(base: $0, thenLooks: true)
        },
        Mutant("applies-what-it-can", breaks: "ERROR-4", says: "is there in part") {
            RefusesBadly(base: $0) { store, changes, error in
                var part = SessionChanges()
                if let first = changes.changes.first { part.add(first) }
                _ = try? await store.save(part)
                return error
            }
        },
        Mutant("says-applied", breaks: "ERROR-4", says: "the effect of a session twice") {
            RefusesBadly(base: $0) { _, _, error in
                var error = error
                error.effect = .applied
                return error
            }
        },
        Mutant("quotes-addresses", breaks: "ERROR-5", says: "shows what was saved as 'host'") {
            RefusesBadly(base: $0) { _, changes, error in
                var error = error
                for case .putTab(let tab, _) in changes.changes { error.message += " \(tab.url)" }
                return error
            }
        },
        Mutant("holds-the-changes", breaks: "ERROR-5", says: "shows what was saved as") {
            RefusesBadly(base: $0) { _, changes, error in
                var error = error
                error.underlying = Refusal(changes: changes)
                return error
            }
        },
        Mutant("reports-titles", breaks: "ERROR-6", says: "the report about damage shows") {
            ReportsTitles(base: $0)
        },
        Mutant("nameless-errors", breaks: "ERROR-7", says: "names no operation") {
            RefusesBadly(base: $0) { _, _, error in
                StorageError(error.code, error.message, effect: error.effect)
            }
        },
        Mutant("speechless", breaks: "ERROR-7", says: "is no sentence") {
            RefusesBadly(base: $0) { _, _, error in
                StorageError(error.code, "error", operation: error.operation)
            }
        },
        Mutant("sulks", breaks: "ERROR-8", says: "restore failed") { Sulks(base: $0) },
    ]
}

private struct Refusal: Error { var changes: SessionChanges }

/// Does something else to a refused set.
private struct RefusesBadly: StorageDecorator {
    let base: any SessionStorage
    let replace: @Sendable (any SessionStorage, SessionChanges, StorageError) async -> StorageError

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        do throws(StorageError) {
            return try await base.save(changes, durability: durability)
        } catch {
            throw await replace(base, changes, error)
        }
    }
}

/// Saves in a task that nobody cancels.
private struct SavesInOwnTask: StorageDecorator {
    let base: any SessionStorage
    let thenLooks: Bool

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        let (base, wasCancelled) = (base, Task.isCancelled)
        let result = await Task.detached {
            do throws(StorageError) {
                return Result<SaveReceipt, StorageError>.success(
                    try await base.save(changes, durability: durability))
            } catch {
                return .failure(error)
            }
        }.value
        if thenLooks && wasCancelled {
            throw StorageError(.cancelled, "the task was cancelled", operation: "save")
        }
        return try result.get()
    }
}

/// Lists in a report what there is.
private struct ReportsTitles: StorageDecorator {
    let base: any SessionStorage

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        for id in (try? await base.sessions()) ?? [] {
            guard let session = try? await base.restore(id) else { continue }
            report.notes.append("session '\(session.attributes.title)' was read")
            report.notes += session.tabs.map { "tab '\($0.title)' was read" }
        }
        return report
    }
}

/// Answers nothing any more once it had to refuse a set.
private final class Sulks: StorageDecorator {
    let base: any SessionStorage
    private let isHurt = Mutex(false)

    init(base: any SessionStorage) { self.base = base }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        do throws(StorageError) {
            return try await base.save(changes, durability: durability)
        } catch {
            isHurt.withLock { $0 = true }
            throw error
        }
    }

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        if isHurt.withLock(\.self) {
            throw StorageError(.failed, "the last save failed", operation: "restore")
        }
        return try await base.restore(id, generation: generation)
    }
}
