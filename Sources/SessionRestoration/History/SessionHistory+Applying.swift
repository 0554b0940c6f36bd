import BrowserModel
public import BrowserSessions
public import RestorePlans

extension SessionHistory {
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
        try await PlanWorkflow(components: components).apply(plan, statesFrom: source)
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
}

/// Applies plans in the open windows, and in what is saved beside them.
struct PlanWorkflow: RestorerPart {
    let components: RestorerComponents

    /// Throws as ``SessionHistory/apply(_:statesFrom:)`` does.
    func apply(
        _ plan: RestorePlan, statesFrom source: (any SessionStorage)? = nil
    ) async throws(SessionRestorationError) -> RestorePlanResult {
        let clearings = context.clearings.begun
        guard context.clearings.underWay == 0 else { return .init(notDone: plan, .cleared) }
        try await context.save()
        do {
            let (isEmpty, past) = try await prepare(plan, source)
            var point: RestorePoint?
            if !isEmpty, context.saves.traits.takesRestorePoints {
                point = try await context.store.changing {
                    try await $0.pointBeforeRestoring(plan.mode)
                }
            }
            let present = try await PresentState.read(context, components.closedTabs)
            try context.checkIsRunning()
            // Data that is being cleared does not come back.
            guard clearings == context.clearings.begun else {
                return .init(notDone: plan, .cleared)
            }
            var application = PlanApplication(
                plan, to: present.sessions.values.sorted { $0.id < $1.id }, hidden: present.hidden,
                undoing: context.undone(by: plan))
            let changes = application.run()
            guard !changes.isEmpty else {
                if let point {
                    try await context.callChanging { try await $0.releaseRestorePoint(point.id) }
                }
                return RestorePlanResult(application, past)
            }
            let opened = try PlanInModel(components, application, changes, past, from: present)
                .run()
            context.note(application.done, broughtBackAfter: point)
            try await context.save()
            await components.launch.realizeActiveTabs(of: opened)
            return RestorePlanResult(application, past, at: point)
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Throws if the plan is of another store, which is no conflict with another restorer.
    private func prepare(_ plan: RestorePlan, _ source: (any SessionStorage)?)
        async throws(SessionRestorationError) -> (isEmpty: Bool, states: StatesToFill)
    {
        do throws(StorageError) {
            return try await context.store.call {
                try await $0.prepare(plan, statesFrom: source)
            }
        } catch {
            throw .storage(error)
        }
    }
}

/// All regular sessions of a profile as they are now: what is open as the model has it, closed tabs as they are
/// in memory, and the rest as it is saved.
struct PresentState {
    private(set) var sessions: [SessionID: RestoredSession] = [:]
    /// The sessions that are not in the model. The windows among them are closed.
    private(set) var hidden: Set<SessionID> = []

    /// Reads what is not open. Between the end of the call and the next suspension, nothing else happens.
    static func read(
        _ context: RestorerContext, _ closedTabs: ClosedTabRecords
    ) async throws(StorageError) -> Self {
        let store = context.store
        while true {
            let (removals, windowChanges) = (store.removals, context.windowChanges)
            try await store.saveBeforeReading()
            let stored = try await store.call { try await $0.presentSessions() }
            // A window that was opened, closed or removed meanwhile is not as it was read.
            guard removals == store.removals, windowChanges == context.windowChanges else {
                continue
            }
            return Self(stored, context, closedTabs)
        }
    }

    private init(
        _ stored: [RestoredSession], _ context: RestorerContext, _ closedTabs: ClosedTabRecords
    ) {
        for session in stored where session.id.kind != .recentlyClosed { add(session) }
        addClosed(closedTabs, context.saves.regular)
        for window in context.regularWindows {
            hidden.remove(window.sessionID)
            var session = RestoredSession(
                id: window.sessionID, attributes: window.savedAttributes,
                tabs: window.tabs.map(\.metadata))
            session.nodes = window.tabs.nodes
            sessions[session.id] = session
        }
        // What is on its way stays where it was.
        for detached in context.regularDetachedTabs.records {
            sessions[detached.session]?.tabs.append(detached.tab)
        }
    }

    private mutating func add(_ session: RestoredSession) {
        sessions[session.id] = session
        hidden.insert(session.id)
    }

    /// Adds closed tabs where the store has them: those of an import are in sessions of their own.
    private mutating func addClosed(_ closedTabs: ClosedTabRecords, _ saves: SavedPartition) {
        let saved = closedTabs.saved
        var all = RestoredSession(
            id: ClosedTabRecords.session, attributes: SessionAttributes(), tabs: [])
        all.nodes = saved.nodes
        add(all)
        for tab in saved.tabs {
            let id = saves.pending.session(of: tab.id) ?? all.id
            if sessions[id] == nil {
                add(RestoredSession(id: id, attributes: SessionAttributes(), tabs: []))
            }
            sessions[id]?.tabs.append(tab)
        }
    }
}
