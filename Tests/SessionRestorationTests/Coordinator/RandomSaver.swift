import BrowserModel
import BrowserSessions
import SessionSamples

@testable import SessionRestoration

/// A host of a coordinator alone, single-threaded: a model of a few windows, a store that fails and hangs, and
/// what was reported to the user as saved. A whole run follows from its seed.
struct RandomSaver {
    struct Failure: Error, CustomStringConvertible { var description: String }

    /// A call that the store has not ended, and what its caller learns of it.
    struct Call {
        var changes: SessionChanges?
        var partition = StoragePartition.incognito
        var durability = Durability.memory
        /// Calls of a storage that another took the place of end without effect.
        var isAbandoned = false
    }

    var random: SeededGenerator
    var coordinator: SaveCoordinator
    var store = SimulatedStore()
    var model = SimulatedModel()
    /// What the model was when each request was made.
    var requests: [Int: SimulatedModel] = [:]
    var calls: [Int: Call] = [:]
    var timers: Set<SaveTimer> = []
    /// Answers that the shell owes to the coordinator.
    var checks: [Int] = []
    var (isNoteDue, areDeletionsDue, isFlushing) = (false, false, false)
    /// Whether no call fails any more.
    var isWell = false
    var steps = 0
    private(set) var log: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var policy = RestorationPolicy()
        policy.durability = .processCrash
        coordinator = SaveCoordinator(policy, maximumStateBytes: 1 << 16)
    }

    mutating func note(_ text: String) {
        log.append(text)
        if log.count > 60 { log.removeFirst(20) }
    }

    // MARK: The shell

    mutating func send(_ event: SaveEvent) throws {
        var effects = handle(event)[...]
        while let effect = effects.popFirst() {
            effects += try perform(effect)
        }
    }

    private mutating func perform(
        _ effect: SaveEffect
    ) throws -> [SaveEffect] {
        switch effect {
        case .setTimer(let timer, _): timers.insert(timer)
        case .cancelTimer(let timer): timers.remove(timer)
        case .flushPages: isFlushing = true
        case .checkOwner(let number): checks.append(number)
        case .noteDeletion: isNoteDue = true
        case .deletionIsDue: areDeletionsDue = true
        case .collect(let partition, let record, _):
            let records = model.read(coordinator[partition].toCollect(only: record))
            let traits = StorageTraits(
                backend: "simulated", durability: [.powerLoss], defaultDurability: .processCrash,
                incognitoErasure: .sealed)
            return handle(.collected(partition, records, traits))
        case .save(let number, let changes, let partition, let durability):
            try begin(
                number,
                Call(changes: changes, partition: partition, durability: durability))
        case .deleteIncognito(let number): try begin(number, Call())
        case .markIncognito:
            return model.marks(of: .incognito).flatMap { handle(.marked($0, .incognito)) }
        case .finish(let number, let error):
            if let before = requests.removeValue(forKey: number), error == nil {
                try check(before)
            }
        case .giveUp(let number, _): calls[number]?.isAbandoned = true
        case .deletionChanged: if random.chance(1, in: 2) { noteLaunch() }
        case .didSave, .superseded, .notify: break
        }
        return []
    }

    private mutating func handle(
        _ event: SaveEvent
    ) -> [SaveEffect] {
        coordinator.handle(event, at: Timestamp(microseconds: Int64(steps)))
    }

    /// The launch note in the store says whether a deletion is pending.
    mutating func noteLaunch() {
        _ = handle(.launchNoted(mayReportDeletion: coordinator.deletion.isPending))
    }

    private mutating func begin(_ number: Int, _ call: Call) throws {
        let others = calls.values.filter { !$0.isAbandoned && $0.partition == call.partition }
        guard others.isEmpty else {
            throw Failure(description: "two calls change \(call.partition) at once")
        }
        calls[number] = call
    }

    /// All that the model had is in the store as it was then, or newer.
    private func check(_ before: SimulatedModel) throws {
        for (id, tab) in before.tabs {
            if let now = model.tabs[id] {
                guard let stored = store.tabs[id] else {
                    throw Failure(description: "\(id) was saved and is not in the store")
                }
                guard stored.metadata.navigationItemCount >= tab.metadata.navigationItemCount
                else {
                    throw Failure(
                        description: "\(id) was saved as \(tab.metadata.navigationItemCount), "
                            + "the store has \(stored.metadata.navigationItemCount)")
                }
                guard try store.stateVersion(of: id, in: tab.session) >= tab.stateVersion else {
                    throw Failure(description: "the state of \(id) was saved and is older")
                }
                if tab == now, stored.session != now.session {
                    throw Failure(description: "\(id) is in \(stored.session)")
                }
            }
        }
        for (id, stored) in store.tabs where before.tabs[id] == nil && model.tabs[id] == nil {
            guard before.wasClosed(id) else { continue }
            throw Failure(description: "\(id) was closed and is in \(stored.session)")
        }
        for (session, title) in before.windows {
            guard model.windows[session] == title else { continue }
            guard store.attributes[session]?.title == title else {
                throw Failure(description: "\(session) was saved as \(title)")
            }
        }
    }
}
