public import BrowserSessions

/// An operation that copies every session of a store into a new one, and compares the two.
///
/// An interrupted copy continues when it is run again. It compares what the target already holds,
/// and leaves it as it is. Any other content of the target is a conflict, except a host's notes
/// about its launches (`SessionKind.Role.notes`). A profile that was opened by mistake and has only
/// such notes counts as new, and gets the notes of the source.
public struct SessionCopy {
    private let source: any SessionStorage
    private let target: (any SessionStorage)?
    private let includesIncognito: Bool

    /// The number of bytes of blobs in one change set, after which the next one begins.
    private static let setBytes = 8 << 20

    /// What was copied, or would be copied. Notes are also copied, but they are not counted.
    public struct Result: Hashable, Sendable {
        /// The number of sessions, including those in ``sessionsThere``.
        public var sessions = 0
        /// The number of tabs in these sessions.
        public var tabs = 0
        /// The number of state blobs of tabs. A plan also counts those that cannot be read.
        public var states = 0
        /// The number of sessions that the target already held, completely or in part.
        public var sessionsThere = 0
        /// The number of incognito sessions of the source that were not requested.
        public var incognitoSessionsLeft = 0
        /// The number of tabs in these incognito sessions.
        public var incognitoTabsLeft = 0
        /// The reason that incognito sessions of the source could not be read; `nil` if all could.
        public var incognitoProblem: String?
        /// The digest of both stores without what was left out; empty if nothing was copied yet.
        public var digest = ""

        /// Creates a result in which nothing was copied.
        public init() {}
        fileprivate mutating func add(_ session: RestoredSession, isThere: Bool) {
            if session.id.kind.role == .notes { return }
            (sessions, tabs) = (sessions + 1, tabs + session.tabs.count)
            if isThere { sessionsThere += 1 }
        }
    }

    /// A step of a copy.
    public enum Step: Sendable {
        /// Copying comes first, counted in sessions. Comparing follows, counted in tabs.
        case copying, comparing
    }

    /// A closure that receives the number of finished items and the total.
    public typealias ProgressHandler = (_ step: Step, _ done: Int, _ total: Int) -> Void

    /// Creates a copy of a store, which is only read. Without a target, the copy can only be planned.
    public init(
        from source: any SessionStorage, to target: (any SessionStorage)?,
        includingIncognito: Bool = false
    ) {
        self.source = source
        self.target = target
        includesIncognito = includingIncognito
    }

    /// Returns what ``run(losses:progress:)`` would copy. Changes nothing.
    ///
    /// - Parameter losses: As in ``run(losses:progress:)``; the states of tabs are not read.
    /// - Throws: `conflict`, `corrupted` and store errors, as ``run(losses:progress:)`` does.
    public func plan(losses: LossHandler? = nil) async throws(StorageError) -> Result {
        let there = target == nil ? [] : try await idsThere(of: idsToCopy())
        var result = try await whatIsLeft()
        let sessions = StoredSessions(
            storage: source, includesStates: false, partitions: partitions, losses: losses)
        try await sessions.forEachBatch { session, _ throws(StorageError) in
            if there.contains(session.id) { try await requireSame(session) }
            result.add(session, isThere: there.contains(session.id))
            result.states += try await source.stateKeys(in: session.id).count
        } tabs: { _, _ in
        } end: {
        }
        return result
    }

    /// Copies and compares, reading the source once. The copy survives what the target promises.
    ///
    /// - Parameter losses: Receives the losses in the source. Everything else is then copied.
    /// - Parameter progress: Receives the progress.
    /// - Throws: `notFound` without a target, `conflict` if the target holds any other content,
    ///   `corrupted` if the copy differs or if there is a loss and no `losses`, and store errors.
    public func run(
        losses: LossHandler? = nil, progress: ProgressHandler? = nil
    ) async throws(StorageError) -> Result {
        let ids = try await idsToCopy()
        let there = try await idsThere(of: ids)
        var result = try await whatIsLeft()
        try await removeNotes(without: Set(ids))
        var digest = ContentDigest()
        var part = Part()
        let sessions = StoredSessions(
            storage: source, includesStates: true, partitions: partitions, losses: losses)
        try await sessions.forEachBatch { session, keys throws(StorageError) in
            let isThere = there.contains(session.id)
            part = try await begin(session, keys, isThere: isThere)
            digest.begin(session)
            result.add(session, isThere: isThere)
        } tabs: { id, tabs throws(StorageError) in
            try await copy(tabs, of: id, &part)
            for tab in tabs { digest.add(tab.metadata, states: tab.states) }
            result.states += tabs.reduce(0) { $0 + $1.states.count }
        } end: { () throws(StorageError) in
            try await save(part.changes, .powerLoss)
            digest.endSession()
            progress?(.copying, result.sessions, ids.count)
        }
        result.digest = digest.value()
        let total = result.tabs
        let copied = try await atTarget { target throws(StorageError) in
            try await ContentDigest.compute(
                of: target, partitions: partitions, progress: { progress?(.comparing, $0, total) })
        }
        guard copied == result.digest else {
            throw StorageError(
                .corrupted, "the copy does not hold what the source holds",
                operation: StorageError.copying)
        }
        return result
    }

    // MARK: Source and target

    /// Runs work on the target. Its errors say that they concern the target.
    private func atTarget<Answer>(
        _ work: (any SessionStorage) async throws(StorageError) -> Answer
    ) async throws(StorageError) -> Answer {
        guard let target else {
            throw StorageError(
                .notFound, "there is no store to copy to", operation: StorageError.copying)
        }
        do throws(StorageError) {
            return try await work(target)
        } catch {
            throw error.ofTarget
        }
    }

    private var partitions: Set<StoragePartition> {
        includesIncognito ? [.regular, .incognito] : [.regular]
    }

    private func whatIsLeft() async throws(StorageError) -> Result {
        var result = Result()
        result.incognitoProblem = source.traits.incognitoProblem
        if includesIncognito { return result }
        let ids = try await source.sessions().filter { $0.kind.role != .notes }
        for id in ids where id.partition == .incognito {
            result.incognitoSessionsLeft += 1
            result.incognitoTabsLeft += try await source.restore(id)?.tabs.count ?? 0
        }
        return result
    }

    /// Removes the target's own notes, because the notes of the source replace them.
    private func removeNotes(without kept: Set<SessionID>) async throws(StorageError) {
        let all = try await atTarget { target throws(StorageError) in try await target.sessions() }
        var changes = SessionChanges()
        for id in Set(all).subtracting(kept) where id.kind.role == .notes { changes.remove(id) }
        if !changes.isEmpty { try await save(changes, .processCrash) }
    }

    private func idsToCopy() async throws(StorageError) -> [SessionID] {
        try await source.sessions().filter { partitions.contains($0.partition) }
    }

    /// Returns the sessions that the target holds. Throws `conflict` if it holds any others.
    private func idsThere(of ids: [SessionID]) async throws(StorageError) -> Set<SessionID> {
        let there = Set(
            try await atTarget { target throws(StorageError) in try await target.sessions() }
        ).filter { $0.kind.role != .notes }
        let others = there.subtracting(ids).count
        guard others == 0 else {
            throw StorageError(
                .conflict,
                """
                the target holds \(others == 1 ? "a session" : "\(others) sessions") that the source \
                does not hold; name a new location
                """, operation: StorageError.copying)
        }
        return there
    }

    /// Throws an error unless the target holds the same session. States of tabs may be missing.
    private func requireSame(_ session: RestoredSession) async throws(StorageError) {
        let copy = try await atTarget { target throws(StorageError) in
            try await target.restore(session.id)
        }
        let isSame = copy?.attributes == session.attributes && copy?.tabs == session.tabs
        if !isSame || copy?.nodes != session.nodes { throw .otherVersion(of: session.id) }
    }

    /// Returns the states of a session that the target holds. Throws `conflict` unless it is the
    /// same session and has only states of the source.
    private func statesThere(
        _ session: RestoredSession, of keys: [TabStateKey]
    ) async throws(StorageError) -> [TabID: [TabStateKey]] {
        try await requireSame(session)
        let there = try await atTarget { target throws(StorageError) in
            try await target.stateKeys(in: session.id)
        }
        guard Set(there).isSubset(of: keys) else { throw .otherVersion(of: session.id) }
        return Dictionary(grouping: there, by: \.tab)
    }

    // MARK: Copying

    /// The progress of copying one session.
    private struct Part {
        /// The states that the target already held.
        var there: [TabID: [TabStateKey]] = [:]
        /// The changes that are not saved yet, and their size in bytes.
        var changes = SessionChanges()
        var bytes = 0
    }

    private func begin(
        _ session: RestoredSession, _ keys: [TabStateKey], isThere: Bool
    ) async throws(StorageError) -> Part {
        if isThere {
            return Part(there: try await statesThere(session, of: keys))
        }
        var changes = SessionChanges()
        changes.put(session)
        try await save(changes, .processCrash)
        return Part()
    }

    /// Copies the missing states of tabs. Throws `conflict` if the target has another version.
    private func copy(
        _ tabs: [TabSnapshot], of id: SessionID, _ part: inout Part
    ) async throws(StorageError) {
        let known = tabs.flatMap { part.there[$0.metadata.id] ?? [] }
        var states: [TabStateKey: [UInt8]] = [:]
        for tab in tabs {
            for (name, state) in tab.states {
                states[TabStateKey(tab: tab.metadata.id, name: name, in: id)] = state
            }
        }
        if !known.isEmpty {
            let copies = try await atTarget { target throws(StorageError) in
                try await target.states(of: known)
            }
            for key in known {
                guard copies[key] == states.removeValue(forKey: key) else {
                    throw .otherVersion(of: id)
                }
            }
        }
        for (key, state) in states {
            part.changes.put(state, for: key)
            part.bytes += state.count
            guard part.bytes > Self.setBytes else { continue }
            try await save(part.changes, .processCrash)
            part.changes = SessionChanges()
            part.bytes = 0
        }
    }

    /// Saves in the target. A target that cannot reach the durability saves with its greatest.
    private func save(_ changes: SessionChanges, _ durability: Durability)
        async throws(StorageError)
    {
        try await atTarget { target throws(StorageError) in
            let level = min(durability, target.traits.greatestDurability)
            _ = try await target.save(changes, durability: level)
        }
    }
}

extension StorageError {
    /// The operation of errors that concern the target of a ``SessionCopy``, or both stores.
    package static let copying = "copy"

    /// The same error, marked as one of the target.
    package var ofTarget: StorageError {
        guard operation != Self.copying else { return self }
        var error = self
        error.message = "the target: " + (operation.isEmpty ? "" : "\(operation): ") + message
        error.operation = Self.copying
        return error
    }

    fileprivate static func otherVersion(of session: SessionID) -> StorageError {
        StorageError(
            .conflict,
            """
            the target holds another version of session \(session) than the source, which may have \
            changed since the copy was begun; name a new location
            """, operation: copying)
    }
}
