/// What a program with a model of its own needs to apply a plan to that, rather than to the store.
package struct PlanPreparation: Sendable {
    private let plan: RestorePlan
    /// Whether no line is true, as the store is.
    package let isEmpty: Bool
    /// The blobs of tabs that come back or change.
    package let states: [TabStateKey: [UInt8]]
    /// The number of tabs that come back without states that they had.
    package let tabsWithoutStates: Int

    /// What becomes of a state by a plan.
    package struct Outcome {
        /// The changes to the state; empty if no line is true.
        package let changes: SessionChanges
        /// The tabs that are there and get the states that they had.
        package let tabsToRefill: Set<TabID>
        /// The lines that are done.
        package let done: [RestorePlan.Line]
        /// What earlier plans brought back that goes for good.
        package let undoing: Set<SessionItem>
        /// The counts of what is done, and the lines that are not.
        package let result: RestorePlanResult
    }

    fileprivate init(
        _ plan: RestorePlan, isEmpty: Bool, states: [TabStateKey: [UInt8]], tabsWithoutStates: Int
    ) {
        (self.plan, self.isEmpty) = (plan, isEmpty)
        (self.states, self.tabsWithoutStates) = (states, tabsWithoutStates)
    }

    /// Returns what becomes of a state.
    ///
    /// - Parameters:
    ///   - present: all sessions as they are now. Those of the incognito partition are left out.
    ///   - hidden: the sessions that are out of sight: nothing is removed from them but what is undone.
    ///   - undoing: what earlier plans brought back that this one undoes.
    package func outcome(
        of present: [RestoredSession], hidden: Set<SessionID>, undoing: Set<SessionItem>
    ) -> Outcome {
        var plan = plan
        var skipped: [RestorePlanResult.Skipped] = []
        plan.lines.removeAll { line in
            guard line.action == .remove, !line.isStruck, hidden.contains(line.session),
                !undoing.contains(line.item)
            else { return false }
            skipped.append(.init(line: line, reason: .outOfSight))
            return true
        }
        var application = PlanApplication(plan, to: present)
        let changes = application.run()
        let filled = Set(application.tabsToFill.values.joined())
        return Outcome(
            changes: changes, tabsToRefill: application.tabsToRefill,
            done: application.done, undoing: undoing,
            result: RestorePlanResult(
                done: .init(application.done),
                states: states.keys.count { filled.contains($0.tab) },
                tabsWithoutStates: filled.isEmpty ? 0 : tabsWithoutStates,
                skipped: skipped + application.skipped))
    }
}

extension SessionStorage {
    /// Reads what it takes to apply a plan to a model of what the store has. Changes nothing.
    ///
    /// Throws as ``apply(_:statesFrom:)`` does.
    package func prepare(_ plan: RestorePlan, statesFrom source: (any SessionStorage)? = nil)
        async throws(StorageError) -> PlanPreparation
    {
        var plan = plan
        // A file may say anything.
        plan.lines.removeAll { line in
            [line.now, line.then].contains { $0?.session.keepsHistory == false }
        }
        let version = try await versionOfStates(for: plan, source)
        var application = PlanApplication(plan, to: try await presentSessions())
        let isEmpty = application.run().isEmpty
        let past = try await StatesToFill(
            application, from: version.map { (source ?? self, $0) }, over: self)
        return PlanPreparation(
            plan, isEmpty: isEmpty, states: past.states, tabsWithoutStates: past.tabsWithoutStates)
    }
}
