import BrowserSessions

/// All rooms of one restorer, and what they tell each other.
final class RestorerRooms {
    let context: RestorerContext
    let states: TabStateReader
    let launch: Launch
    let incognito: IncognitoTabs
    let closedTabs: ClosedTabRecords
    let keeper: WindowKeeper
    let closeAll: CloseAll
    let inactive: InactiveTabs
    let closed: ClosedTabs
    let setAside: SetAsideSessions
    let savedWindows: SavedWindows
    let browsingData: BrowsingData
    let restoration: Restoration
    let unsettled: UnsettledPages
    let realized: RealizedTabs

    init(_ context: RestorerContext) {
        self.context = context
        states = TabStateReader(context)
        launch = Launch(context)
        incognito = IncognitoTabs(context)
        closedTabs = ClosedTabRecords(
            context.policy, context.ledger.regular, context.age, now: context.now)
        closedTabs.onDropped = { [weak context] in context?.tell(.dropped($0)) }
        let suspicion = SuspicionRules(closedTabs, limit: context.policy.suspiciousLoss)
        unsettled = UnsettledPages(context)
        realized = RealizedTabs(context, unsettled)
        keeper = WindowKeeper(
            context, launch, incognito, closedTabs, suspicion, unsettled, realized)
        let opener = WindowOpener(context, keeper, incognito, states)
        closeAll = CloseAll(context)
        inactive = InactiveTabs(context)
        closed = ClosedTabs(context, closedTabs)
        setAside = SetAsideSessions(context, suspicion, opener)
        savedWindows = SavedWindows(
            context, opener, incognito, closeAll, closedTabs, launch, keeper)
        browsingData = BrowsingData(context, closedTabs, setAside, incognito, states)
        restoration = Restoration(
            context, launch, incognito, setAside, closedTabs, inactive, opener)
        listen(to: context.ledger)
        listenToPages()
    }

    private func listenToPages() {
        weak let unsettled = unsettled
        weak let realized = realized
        context.settlePages = { await unsettled?.settle() }
        context.ledger.schedule.beforeSaveSoon = { await unsettled?.settle() }
        closedTabs.onTaken = {
            unsettled?.follow($0, as: $1, in: ClosedTabRecords.session)
        }
        let discardOld = context.ledger.didSave
        context.ledger.didSave = {
            discardOld()
            realized?.letGoOfSavedStates()
        }
    }

    private func listen(to ledger: SessionLedger) {
        ledger.feed.tell = { [weak ledger] in ledger?.tell(.becameDurable($0)) }
        ledger.willSave = { [weak setAside] in setAside?.decideOnClosings() }
        ledger.didSave = { [weak setAside] in setAside?.discardOld() }
        weak let note = launch.note
        weak let incognito = incognito
        ledger.debt.didChange = { note?.writeSoon() }
        ledger.claim.isReplaced = { await note?.isReplaced() ?? false }
        ledger.claim.onLoss = { [weak context, weak keeper, weak ledger] in
            context?.phase = .superseded
            note?.stop()
            keeper?.stop()
            ledger?.supersede()
        }
        ledger.noteDebt = { () async throws(StorageError) in try await note?.writeDebt() }
        ledger.mayDebtBeNoted = { note?.mayOweDeletion ?? false }
        ledger.debt.isDue = { await incognito?.deleteIfEmpty() }
        ledger.regularTransit.onLost = { [weak closedTabs] in closedTabs?.lost($0, from: $1) }
        ledger.incognitoTransit.onLost = { [weak ledger] tab, _ in
            ledger?.incognito.close(tab.id)
        }
        ledger.incognitoTransit.onEnded = { incognito?.emptied() }
    }

    /// Goes on with another store, in which nothing of what is open is yet.
    func replaceStorage(_ storage: any SessionStorage) {
        context.ledger.replaceStorage(with: storage)
        keeper.markEverything()
        closedTabs.saveAnew()
        context.ledger.schedule.saveSoon()
        launch.note.writeAgain()
    }

    /// Saves everything, notes that the process ends in order, and stops to watch.
    func close() async throws(SessionRestorationError) {
        guard context.phase != .closed else { return }
        // What was never to be saved is not lost at the end without a word.
        let end = context.age.now
        if !context.wasAskedToRestore, !context.ledger.isClean { throw .notRestored }
        if context.phase == .running {
            try await context.save()
            do throws(StorageError) { try await launch.end(at: end) } catch {
                throw SessionRestorationError(error)
            }
        } else if context.phase != .superseded {
            try? await launch.end(at: end)
        }
        context.ledger.stop()
        launch.note.stop()
        context.phase = .closed
        keeper.stop()
    }
}
