import BrowserModel
public import BrowserSessions

extension SavedWindows {
    /// Does what a plan says, as far as it is still true, in the open windows and in what is saved beside them.
    ///
    /// What comes back is added to open windows and lists where it was, unrealized, with its history; what was
    /// closed moves back; windows are opened again. What a plan that replaces displaces is closed: it is among
    /// ``SessionRestorer/closed``, with windows that came since, and what was out of sight stays as it is. A tab
    /// that was opened after the plan was made stays, and so does one that is between two windows. Private tabs
    /// are never touched.
    ///
    /// Everything is saved as one set, after a restore point with the name "before restoring", so that one call
    /// undoes it: ``goBack(to:mode:)`` to that point, in the mode `replace`. What plans of this restorer brought
    /// back since then from no session goes for good, wherever it is. The result has no receipt.
    ///
    /// A plan without lines that are true changes nothing. While browsing data is cleared, no line is done, each
    /// with the reason `RestorePlanResult.Reason.cleared`.
    ///
    /// - Parameters:
    ///   - plan: the plan, of this call's profile or read from a file.
    ///   - source: the store with the earlier state, if that is not a point of the profile's own.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails, or if the plan was made for another
    ///   store; ``SessionRestorationError/window(_:)`` or ``SessionRestorationError/tabList(_:)`` if a window or
    ///   a list refuses a change; ``SessionRestorationError/notRestored``,
    ///   ``SessionRestorationError/superseded`` or ``SessionRestorationError/closed`` if the restorer is not
    ///   running. If the last save fails, what the plan did stays, and is saved later.
    @discardableResult
    public func apply(
        _ plan: RestorePlan, statesFrom source: (any SessionStorage)? = nil
    ) async throws(SessionRestorationError) -> RestorePlanResult {
        let clearings = context.clearings.begun
        guard context.clearings.underWay == 0 else { return .init(notDone: plan, .cleared) }
        try await context.save()
        do {
            let preparation = try await prepare(plan, source)
            var point: RestorePoint?
            if !preparation.isEmpty, context.saves.traits.takesRestorePoints {
                point = try await context.saves.store.changing {
                    try await $0.pointBeforeRestoring(plan.mode)
                }
            }
            let present = try await PresentState.read(context, closedTabs)
            try context.checkIsRunning()
            // Data that is being cleared does not come back.
            guard clearings == context.clearings.begun else {
                return .init(notDone: plan, .cleared)
            }
            let outcome = preparation.outcome(
                of: present.sessions.values.sorted { $0.id < $1.id }, hidden: present.hidden,
                undoing: context.undone(by: plan))
            var result = outcome.result
            guard !outcome.changes.isEmpty else {
                try await release(point)
                return result
            }
            let opened = try PlanInModel(components, preparation, outcome, from: present).run()
            result.restorePoint = point
            context.note(outcome.done, broughtBackAfter: point)
            try await context.save()
            await components.launch.realizeActiveTabs(of: opened)
            return result
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Goes back to a restore point in one step: makes a plan and applies it.
    ///
    /// - Throws: the errors of ``plan(at:mode:)`` and ``apply(_:statesFrom:)``.
    @discardableResult
    public func goBack(
        to point: RestorePointID, mode: RestorePlan.Mode = .merge
    ) async throws(SessionRestorationError) -> RestorePlanResult {
        try await apply(plan(at: point, mode: mode))
    }

    /// Gives up the point of a plan that changed nothing.
    private func release(_ point: RestorePoint?) async throws(StorageError) {
        guard let point else { return }
        try await context.saves.store.changing { try await $0.releaseRestorePoint(point.id) }
    }

    /// Throws if the plan is of another store, which is no conflict with another restorer.
    private func prepare(_ plan: RestorePlan, _ source: (any SessionStorage)?)
        async throws(SessionRestorationError) -> PlanPreparation
    {
        do throws(StorageError) {
            return try await context.saves.store.call {
                try await $0.prepare(plan, statesFrom: source)
            }
        } catch {
            throw .storage(error)
        }
    }
}
