/// The hosts of a lifecycle and what is known of them, in the order in which they were added.
struct HostTable {
    /// One host, the task that works on it, and those that wait for it.
    struct Entry {
        let host: any SessionHost
        /// Where it stands among all.
        let number: Int
        var state = SessionHostState.waiting
        /// Whether its sessions were begun, and not ended since.
        var isBegun = false
        /// The last one; it waits for those before.
        var work: Task<Void, Never>?
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    enum Phase { case idle, running, ending, over }

    var phase = Phase.idle
    /// Whether hosts may come and be begun.
    var isOpen: Bool { phase == .idle || phase == .running }
    var entries: [String: Entry] = [:]
    /// Those that hear of all changes.
    var listeners: [Int: AsyncStream<SessionHostChange>.Continuation] = [:]
    private var lastNumber = 0

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ host: any SessionHost) throws(SessionLifecycleError) {
        guard isOpen else { throw .isOver }
        guard entries[host.id] == nil else { throw .hostExists(host.id) }
        entries[host.id] = Entry(host: host, number: nextNumber())
        tell(host.id, .waiting)
    }

    func entry(_ id: String) throws(SessionLifecycleError) -> Entry {
        guard let entry = entries[id] else { throw .noSuchHost(id) }
        return entry
    }

    /// All identifiers, in the order in which they were added.
    var ids: [String] { entries.sorted { $0.value.number < $1.value.number }.map(\.key) }

    mutating func set(_ id: String, to state: SessionHostState) {
        entries[id]?.state = state
        if state.isFinal {
            entries[id]?.waiting.forEach { $0.finish() }
            entries[id]?.waiting = []
        }
        if case .ended = state { entries[id] = nil }
        tell(id, state)
    }

    private func tell(_ id: String, _ state: SessionHostState) {
        for listener in listeners.values {
            listener.yield(SessionHostChange(host: id, state: state))
        }
    }
}

extension SessionHostState {
    /// Whether nothing more happens by itself.
    var isFinal: Bool {
        switch self {
        case .ready, .failed, .ended: true
        case .waiting, .beginning, .ending: false
        }
    }

    /// Why it failed to begin, if it did.
    var beginFailure: SessionHostFailure? {
        if case .failed(let failure) = self, failure.phase == .begin { failure } else { nil }
    }
}

/// Lets a few go on at a time, and the others in the order in which they came.
actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
