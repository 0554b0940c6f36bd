import BrowserModel
import BrowserSessions

/// Decides what is saved of a profile and when, and handles the store's answers.
///
/// The coordinator is a value. It receives events and returns effects, which its owner,
/// `SaveDriver`, performs in order. It has no task, clock, storage, or closure, so a test can run
/// it a million times from one seed, and this file shows its entire state.
///
/// A save is a *round*. It saves the regular partition, then the incognito partition; if the first
/// fails, the second is saved all the same. Each partition has a line of *turns*: rounds,
/// deletions, and workflows that change the store in several calls. One turn runs at a time.
struct SaveCoordinator {
    var regular: PendingChanges
    var incognito: PendingChanges
    var schedule: SaveSchedule
    /// The calls that the store has not ended, and the turns that wait for them.
    var calls: StoreCallQueue
    var ownership = StoreOwnership()
    var deletion = PendingIncognitoDeletion()
    var feed = DurableFeed()

    /// The rounds that have not ended, the oldest first.
    var rounds: [SaveRound] = []
    /// The save of each partition's running turn; absent while a workflow has the turn.
    var saves: [StoragePartition: PartitionSave] = [:]
    /// The change set that is being sent in each partition, at most one.
    var transfers: [StoragePartition: Transfer] = [:]
    /// The durability that all change sets of a partition have reached.
    var reachedDurability: [StoragePartition: Durability] = [:]
    /// The saves of private tabs that the next process would delete, because of a pending deletion.
    var revocableSaves: [SaveSummary] = []
    /// The effects so far of the event that is being handled.
    var effects: [SaveEffect] = []
    private var lastNumber = 0

    init(_ policy: RestorationPolicy, maximumStateBytes: Int) {
        let limits = PendingChanges.Limits(
            maximumStateBytes: maximumStateBytes, extraStates: policy.extraStates)
        regular = PendingChanges(of: .regular, limits: limits)
        incognito = PendingChanges(of: .incognito, limits: limits)
        incognito.isMuted = policy.incognito == .neverSave
        schedule = SaveSchedule(policy)
        calls = StoreCallQueue(stall: policy.stallLimit, deadline: policy.answerLimit)
        deletion.retryDelay = policy.retryDelays.last ?? policy.saveDelay
    }

    /// The pending changes of a partition.
    subscript(partition: StoragePartition) -> PendingChanges {
        _read {
            if partition == .regular { yield regular } else { yield incognito }
        }
        _modify {
            if partition == .regular { yield &regular } else { yield &incognito }
        }
    }

    /// Whether the store has acknowledged all changes.
    var isClean: Bool { regular.isClean && incognito.isClean && revocableSaves.isEmpty }

    /// Whether a save would send something now.
    var hasSomethingToSend: Bool { regular.hasSomethingToSend || incognito.hasSomethingToSend }

    /// Returns a number that no other call, turn, or request has.
    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Handles an event, and returns its effects in order.
    mutating func handle(_ event: SaveEvent, at now: Timestamp) -> [SaveEffect] {
        calls.now = now
        switch event {
        case .marked(let mark, let partition):
            if self[partition].apply(mark) { schedule.changed(&effects) }
        case .started: schedule.start(isChanged: !isClean, &effects)
        case .stopped: stop()
        case .storageReplaced(let maximumStateBytes): storageReplaced(maximumStateBytes)
        case .timerEnded(.saveDelay):
            if schedule.delayEnded() { enqueueRound(SaveRequest(isDelayed: true)) }
        case .timerEnded(.retry): enqueueRound(SaveRequest())
        case .timerEnded(.deletionRetry): effects.append(.deletionIsDue)
        case .timerEnded(.stall(let call)): schedule.stalled(since: calls.stalled(call), &effects)
        case .timerEnded(.deadline(let call)): gaveUp(call)
        case .saveRequested(let request): enqueueRound(request)
        case .saveSoonRequested: schedule.saveSoon(&effects)
        case .pagesFlushed: if schedule.pagesFlushed() { enqueueRound(SaveRequest()) }
        case .collected(let partition, let found, let traits): collected(partition, found, traits)
        case .ownerChecked(let check, let isReplaced): ownerChecked(check, isReplaced: isReplaced)
        case .deletionRequested(let number): requestDeletion(number)
        case .deletionInherited(let isPending): deletion.isPending = isPending
        case .launchNoted(let mayReportDeletion): deletion.mayBeNoted = mayReportDeletion
        case .deletionNoted(let error): deletionNoted(error)
        case .turnRequested(let number, let partition): calls.append(.workflow(number), partition)
        case .turnEnded(let number): calls.remove(workflow: number)
        case .transferRequested(let number, let changes, let durability):
            transfer(changes, .regular, durability, .workflow(number))
        case .callBegan(let call, let partition): calls.begin(call, partition, &effects)
        case .saveAnswered(let call, let answer, let duration):
            if calls.end(call, &effects) { answered(call, answer, duration) }
        case .deletionAnswered(let call, let answer):
            if calls.end(call, &effects) { deletionAnswered(call, answer) }
        case .callEnded(let call): _ = calls.end(call, &effects)
        }
        if calls.takeEndOfStall() { schedule.answered(&effects) }
        if case .marked = event {} else { advance() }
        effects += StoragePartition.allCases.flatMap { self[$0].takeNotices() }.map { .notify($0) }
        defer { effects = [] }
        return effects
    }

    /// Begins the turns that can begin now.
    private mutating func advance() {
        for partition in StoragePartition.allCases {
            while let turn = calls.nextTurn(of: partition) {
                switch turn {
                case .workflow(let number): effects.append(.finish(number, nil))
                case .round(let number):
                    if let index = rounds.firstIndex(where: { $0.number == number }) {
                        rounds[index].hasBegun = true
                    }
                    if partition == .regular { schedule.saveBegan(&effects) }
                    saves[partition] = PartitionSave(round: number)
                    effects.append(.collect(partition, only: nil, isFirst: true))
                case .deletion(let number): beginDeletion(number)
                }
            }
        }
    }

    private mutating func stop() {
        schedule.stop(&effects)
        effects.append(.cancelTimer(.deletionRetry))
    }

    /// Forgets what the previous storage had, and restarts the running turns.
    private mutating func storageReplaced(_ maximumStateBytes: Int) {
        let error = StorageError(
            .unavailable, "the storage was replaced before it answered", effect: .indeterminate)
        for call in calls.abandonAll(&effects) { effects.append(.giveUp(call, error)) }
        reachedDurability = [:]
        ownership.forgetStore()
        feed.forget()
        revocableSaves = []
        for partition in StoragePartition.allCases {
            self[partition].forgetStore()
            self[partition].limits.maximumStateBytes = maximumStateBytes
            restartTurn(partition, error)
        }
        if deletion.isPending { effects.append(.setTimer(.deletionRetry, .zero)) }
    }
}
