#if FaultyBackends
    import BrowserSessions
    import Synchronization

    struct Refusal: Error { var changes: SessionChanges }

    /// Does something else with a refused set.
    struct RefusesBadly: StorageDecorator {
        let base: any SessionStorage
        let replace:
            @Sendable (any SessionStorage, SessionChanges, StorageError) async -> StorageError

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

    /// Saves in a task that is never cancelled.
    struct SavesInOwnTask: StorageDecorator {
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

    /// Ends nothing in a cancelled task.
    struct StopsIfCancelled: StorageDecorator {
        let base: any SessionStorage
        var deletes = false

        func deleteIncognito() async throws(StorageError) {
            guard deletes || !Task.isCancelled else {
                throw StorageError(.cancelled, "the task was cancelled")
            }
            try await base.deleteIncognito()
        }

        func close() async throws(StorageError) {
            if !Task.isCancelled { try await base.close() }
        }
    }

    /// Lists existing content in a report.
    struct ReportsTitles: FalseReporter {
        let base: any SessionStorage

        func alter(_ report: inout RecoveryReport) async {
            for id in (try? await base.sessions()) ?? [] {
                guard let session = try? await base.restore(id) else { continue }
                report.notes.append("session '\(session.attributes.title)' was read")
                report.notes += session.tabs.map { "tab '\($0.title)' was read" }
            }
        }
    }

    /// Stops answering after it had to refuse a set.
    final class Sulks: StorageDecorator {
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

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            if isHurt.withLock(\.self) {
                throw StorageError(.failed, "the last save failed", operation: "restore")
            }
            return try await base.restore(ids, at: version)
        }
    }
#endif
