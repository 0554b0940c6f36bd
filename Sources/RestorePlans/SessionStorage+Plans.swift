public import BrowserSessions

extension SessionStorage {
    /// Returns what it takes to go back to a restore point of this store. Changes nothing.
    ///
    /// Throws `StorageError.Code.notFound` if the store does not keep the point, and
    /// `StorageError.Code.corrupted` if everything is to be replaced and part of the point cannot be read.
    ///
    /// - Parameters:
    ///   - point: the point.
    ///   - mode: what becomes of what is there now; by default all of it stays.
    public func restorePlan(at point: RestorePointID, mode: RestorePlan.Mode = .merge)
        async throws(StorageError) -> RestorePlan
    {
        guard try await restorePoints().contains(where: { $0.id == point }) else {
            throw StorageError(
                .notFound, "the store does not keep restore point \(point); see its list of points",
                operation: "plan")
        }
        return try await restorePlan(from: self, at: .point(point), mode: mode)
    }

    /// Returns what it takes to go back to the state of another store, such as a backup. Changes nothing.
    ///
    /// Apply the plan with `statesFrom:`. Throws as ``restorePlan(at:mode:)`` does.
    ///
    /// - Parameters:
    ///   - source: the other store.
    ///   - version: which of its states.
    ///   - mode: what becomes of what is there now; by default all of it stays.
    public func restorePlan(
        from source: any SessionStorage, at version: SessionVersion = .current,
        mode: RestorePlan.Mode = .merge
    ) async throws(StorageError) -> RestorePlan {
        var known: RestorePoint?
        if case .point(let point) = version {
            known = try await source.restorePoints().first { $0.id == point }
        }
        let past = try await PastSessions(of: source, at: version, isWhole: mode == .replace)
        let present = SessionRecords(try await presentSessions())
        return PlanMaker.plan(
            mode, at: known, from: SessionRecords(past.sessions), over: present,
            unreadable: past.unreadable,
            otherStates: mode == .merge
                ? []
                : try await present.tabs(
                    of: self, thatWereOtherwise: source, version, past.sessions))
    }

    /// Goes back to a restore point in one step: makes a plan and applies it.
    ///
    /// To undo it, go back to the ``RestorePlanResult/restorePoint`` of the result, in the mode `replace`.
    @discardableResult
    public func goBack(to point: RestorePointID, mode: RestorePlan.Mode = .merge)
        async throws(StorageError) -> RestorePlanResult
    {
        try await apply(restorePlan(at: point, mode: mode))
    }

    /// Returns all sessions that differences and plans concern, as they were last saved.
    package func presentSessions() async throws(StorageError) -> [RestoredSession] {
        try await restore(sessions().filter(\.keepsHistory))
    }
}

/// The sessions of an earlier state, as far as they can be read.
private struct PastSessions {
    var sessions: [RestoredSession] = []
    var unreadable: [SessionID] = []

    /// - Parameter isWhole: whether to throw if anything cannot be read.
    init(of store: any SessionStorage, at version: SessionVersion, isWhole: Bool)
        async throws(StorageError)
    {
        let ids = try await store.sessions(at: version).filter(\.keepsHistory)
        do throws(StorageError) {
            sessions = try await store.restore(ids, at: version)
        } catch {
            guard error.code == .corrupted, !isWhole else { throw error }
            for id in ids { try await add(id, of: store, at: version) }
        }
        guard isWhole, let loss = sessions.lazy.flatMap(\.losses).first else {
            unreadable += sessions.filter { !$0.losses.isEmpty }.map(\.id)
            return
        }
        throw StorageError(
            .corrupted,
            """
            part of the earlier state cannot be read (\(loss.detail)), so the present is not replaced by \
            it; merge instead
            """, operation: "plan")
    }

    private mutating func add(
        _ id: SessionID, of store: any SessionStorage, at version: SessionVersion
    ) async throws(StorageError) {
        do throws(StorageError) {
            sessions += try await store.restore([id], at: version)
        } catch {
            guard error.code == .corrupted else { throw error }
            unreadable.append(id)
        }
    }
}
