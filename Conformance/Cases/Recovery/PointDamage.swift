import BrowserSessions

/// What is said of restore points after damage to one file.
enum PointDamage {
    @Sendable static func isReported(_ context: CaseContext) async throws {
        var sound: [RestorePointID: PointContent?] = [:]
        var differing = 0
        try await DamageTrial.each(.flip, context, times: context.amount(3, full: 20, long: 100)) {
            trial in
            if sound.isEmpty {
                let store = try await context.open(trial.used.location)
                for point in try await store.restorePoints() {
                    sound[point.id] = try await PointContent(of: point.id, in: store)
                }
                try await store.close()
                try require(
                    !sound.isEmpty, "no restore point is kept of a store that was opened twice")
            }
            let report = try await trial.store.check()
            for (point, content) in sound {
                let found = try await PointContent(of: point, in: trial.store)
                if found == content { continue }
                differing += 1
                try require(
                    !report.isHealthy,
                    "\(trial.what): restore point \(point) is not as it was, and nothing says so")
            }
        }
        context.note("\(differing) restore points were not as they were")
    }
}

/// The sessions and states of a restore point.
private struct PointContent: Equatable, Sendable {
    var sessions: [RestoredSession] = []
    var states: [TabStateKey: [UInt8]] = [:]

    /// Returns `nil` if not all of it can be read, or the point is not there.
    init?(of point: RestorePointID, in store: any SessionStorage) async throws {
        do throws(StorageError) {
            sessions = try await store.restore(
                store.sessions(at: .point(point)), at: .point(point))
            for session in sessions {
                let keys = try await store.stateKeys(in: session.id, at: .point(point))
                states.merge(try await store.states(of: keys, at: .point(point))) { $1 }
            }
        } catch {
            guard [.corrupted, .notFound].contains(error.code) else { throw error }
            return nil
        }
    }
}
