/// The hosts of a lifecycle and their states, in the order in which they were added.
struct HostTable {
    /// A host, the task that works on it, and the callers that wait for it.
    struct Entry {
        let host: any SessionHost
        /// The position among all hosts.
        let number: Int
        var state = SessionHostState.waiting
        /// Whether its sessions have begun and not ended since.
        var isBegun = false
        /// The last task, which waits for the earlier ones.
        var work: Task<Void, Never>?
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    enum Phase { case idle, running, ending, over }

    var phase = Phase.idle
    /// Whether hosts can be added and begun.
    var isOpen: Bool { phase == .idle || phase == .running }
    var entries: [String: Entry] = [:]
    /// The receivers of all changes.
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

    /// All identifiers, in the order in which the hosts were added.
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
    /// Whether the state does not change by itself.
    var isFinal: Bool {
        switch self {
        case .ready, .failed, .ended: true
        case .waiting, .beginning, .ending: false
        }
    }

    /// The failure to begin, if there was one.
    var beginFailure: SessionHostFailure? {
        if case .failed(let failure) = self, failure.phase == .begin { failure } else { nil }
    }
}

/// A limit on how many tasks run at the same time. The others wait in order of arrival.
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
