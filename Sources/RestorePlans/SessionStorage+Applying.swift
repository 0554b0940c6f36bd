public import BrowserSessions

extension SessionStorage {
    /// Does what a plan says, as far as it is (still) true, in one change set.
    ///
    /// Before that, a store that takes restore points takes one with the name "before restoring"; a store with
    /// losses that were not accepted takes none, and then only a plan that merges is applied. Tabs that
    /// come back have their states; what is there now goes only if a line that is not struck out says so.
    /// A plan without lines that are true changes nothing and takes no point.
    ///
    /// Throws `StorageError.Code.conflict` and changes nothing if the plan was made for another store, or
    /// the store changes again and again meanwhile.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - source: the store with the earlier state, if that is not a point of this store.
    @discardableResult
    public func apply(_ plan: RestorePlan, statesFrom source: (any SessionStorage)? = nil)
        async throws(StorageError) -> RestorePlanResult
    {
        let version = try await versionOfStates(for: plan, source)
        var point: RestorePoint?
        var kept: (tabs: [SessionID: Set<TabID>], past: StatesToFill)?
        for _ in 0..<Self.mostAttempts {
            // An empty set changes nothing, and its receipt has the number of the last one.
            let sequence = try await save(SessionChanges()).sequence
            var application = PlanApplication(plan, to: try await presentSessions())
            var changes = application.run()
            guard !changes.isEmpty else { return RestorePlanResult(application, at: point) }
            var past = try await StatesToFill(
                application, from: version.map { (source ?? self, $0) }, over: self)
            // The point that was taken meanwhile may have displaced the one with the states.
            if let kept, kept.tabs == application.tabsToFill,
                kept.past.tabsWithoutStates < past.tabsWithoutStates
            {
                past = kept.past
            }
            past.add(to: &changes)
            if point == nil, traits.takesRestorePoints {
                point = try await pointBeforeRestoring(plan.mode)
                kept = (application.tabsToFill, past)
                // A point may have a number of its own.
                guard try await save(SessionChanges()).sequence == sequence else { continue }
            }
            var result = RestorePlanResult(application, past, at: point)
            changes.expectedSequence = sequence
            do throws(StorageError) {
                result.receipt = try await save(changes)
                return result
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw StorageError(
            .conflict, "the store changed again and again while the plan was applied; try again",
            operation: "apply plan")
    }

    private static var mostAttempts: Int { 5 }

    /// Reads what it takes to apply a plan to a model of what the store has: the states that come back, and
    /// whether no line is true as the store is. Changes nothing.
    ///
    /// Throws as ``apply(_:statesFrom:)`` does.
    package func prepare(_ plan: RestorePlan, statesFrom source: (any SessionStorage)? = nil)
        async throws(StorageError) -> (isEmpty: Bool, states: StatesToFill)
    {
        let version = try await versionOfStates(for: plan, source)
        var application = PlanApplication(plan, to: try await presentSessions())
        let isEmpty = application.run().isEmpty
        let states = try await StatesToFill(
            application, from: version.map { (source ?? self, $0) }, over: self)
        return (isEmpty, states)
    }

    /// Takes a point. A store with losses takes none before they are accepted: then a plan that only adds is
    /// applied without, and the result is `nil`.
    package func pointBeforeRestoring(_ mode: RestorePlan.Mode) async throws(StorageError)
        -> RestorePoint?
    {
        do throws(StorageError) {
            return try await takeRestorePoint(
                name: RestorePoint.nameBeforeRestoring, pinned: false)
        } catch {
            guard error.code == .corrupted, mode == .merge else { throw error }
            return nil
        }
    }

    /// Returns the version that has the states of what comes back; `nil` if there is none (any more).
    /// Throws if the plan is of another store.
    func versionOfStates(for plan: RestorePlan, _ source: (any SessionStorage)?)
        async throws(StorageError) -> SessionVersion?
    {
        let other = StorageError(
            .conflict, "the plan was made for another store; nothing was changed",
            operation: "apply plan")
        if let point = plan.point {
            let same = try await (source ?? self).restorePoints().first { $0.id == point.id }
            if let same {
                guard same.takenAt == point.takenAt else { throw other }
                return .point(point.id)
            }
        }
        // The point expired, or the plan is of a store that this one has never been.
        let known = Set(plan.knownSessions)
        let present = try await sessions().filter(\.keepsHistory)
        if plan.point != nil, !present.contains(where: known.contains) { throw other }
        return plan.point == nil && source != nil ? .current : nil
    }
}

/// The states of tabs that come back.
package struct StatesToFill: Sendable {
    package private(set) var states: [TabStateKey: [UInt8]] = [:]
    private var unneeded: [TabStateKey] = []
    private(set) var tabsWithoutStates = 0

    /// - Parameters:
    ///   - source: the store and the version that has them; `nil` if there is none.
    ///   - store: the store that gets them.
    init(
        _ application: PlanApplication,
        from source: (store: any SessionStorage, version: SessionVersion)?,
        over store: any SessionStorage
    ) async throws(StorageError) {
        for (session, tabs) in application.tabsToFill {
            guard let source else {
                tabsWithoutStates += tabs.count
                continue
            }
            let found = try await ReadableStates(
                of: tabs, in: session, source.store, source.version)
            // Another store may take larger ones.
            let large = found.states.filter { $1.count > store.traits.maximumStateBytes }
            tabsWithoutStates += found.damaged.union(large.keys.lazy.map(\.tab)).count
            states.merge(found.states.filter { large[$0.key] == nil }) { $1 }
        }
        guard source != nil, !application.tabsToRefill.isEmpty else { return }
        let sessions = Set(application.done.compactMap { $0.now?.session })
        for session in sessions.sorted() {
            for key in try await store.stateKeys(in: session)
            where application.tabsToRefill.contains(key.tab) && states[key] == nil {
                unneeded.append(key)
            }
        }
    }

    func add(to changes: inout SessionChanges) {
        let sorted = states.sorted {
            ($0.key.tab, $0.key.name.rawValue) < ($1.key.tab, $1.key.name.rawValue)
        }
        for (key, bytes) in sorted { changes.put(bytes, for: key) }
        for key in unneeded { changes.remove(key) }
    }
}

extension RestorePlanResult {
    /// - Parameter past: the states of what came back; `nil` if nothing was changed.
    package init(
        _ application: PlanApplication, _ past: StatesToFill? = nil, at point: RestorePoint? = nil
    ) {
        let filled = Set(application.tabsToFill.values.joined())
        self.init(
            restorePoint: point, done: .init(application.done),
            states: past?.states.keys.count { filled.contains($0.tab) } ?? 0,
            tabsWithoutStates: filled.isEmpty ? 0 : past?.tabsWithoutStates ?? 0,
            skipped: application.skipped)
    }

    /// Nothing of a plan was done.
    package init(notDone plan: RestorePlan, _ reason: Reason) {
        self.init(
            done: .init([]), states: 0, tabsWithoutStates: 0,
            skipped: plan.activeLines.map { Skipped(line: $0, reason: reason) })
    }
}
