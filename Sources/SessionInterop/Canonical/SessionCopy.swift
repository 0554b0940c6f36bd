public import BrowserSessions

/// Copies every session of a store into a new one and compares the two.
///
/// A copy that was interrupted goes on when it is run again: what the target holds already is compared and
/// left. A target with anything else is a conflict.
public struct SessionCopy {
    private let source: any SessionStorage
    private let target: (any SessionStorage)?
    private let includesIncognito: Bool

    /// Blobs of one change set, in bytes; more goes into the next.
    private static let setBytes = 8 << 20

    /// What was copied, or would be.
    public struct Result: Hashable, Sendable {
        public var sessions = 0
        public var tabs = 0
        public var states = 0
        /// How many of the sessions the target held before, whole or in part.
        public var sessionsThere = 0
        /// The digest of both stores; empty if nothing was copied yet.
        public var digest = ""

        public init() {}
    }

    /// What a copy is doing.
    public enum Step: Sendable {
        case copying
        case comparing
    }

    /// Told the number of tabs so far, of all there are.
    public typealias ProgressHandler = (_ step: Step, _ tabs: Int, _ total: Int) -> Void

    /// - Parameter target: `nil` for a place where nothing is yet, for which there is only a plan.
    public init(
        from source: any SessionStorage, to target: (any SessionStorage)?,
        includingIncognito: Bool = false
    ) {
        self.source = source
        self.target = target
        includesIncognito = includingIncognito
    }

    /// What ``run(losses:progress:)`` would copy. Nothing is changed.
    ///
    /// Throws `conflict` if the target holds anything that is not of the source.
    ///
    /// - Parameter losses: As for ``run(losses:progress:)``; the state of tabs is not read.
    public func plan(losses: LossHandler? = nil) async throws(StorageError) -> Result {
        let ids = try await idsToCopy()
        let there = target == nil ? [] : try await idsThere(of: ids)
        return try await visit(ids, there, losses) { session, _ throws(StorageError) in
            try await source.stateKeys(in: session.id).count
        }
    }

    /// Copies and compares. The source is only read.
    ///
    /// Throws `conflict` if the target holds anything that is not of the source, `corrupted` if a session of
    /// the source cannot be read completely or the copy does not equal it, and what the stores throw.
    ///
    /// - Parameter losses: Told what is lost in the source; what is left is then copied.
    public func run(
        losses: LossHandler? = nil, progress: ProgressHandler? = nil
    ) async throws(StorageError) -> Result {
        let ids = try await idsToCopy()
        let there = try await idsThere(of: ids)
        let wanted = Set(ids)
        let total = try await source.summaries().reduce(0) {
            $0 + (wanted.contains($1.id) ? $1.tabCount : 0)
        }
        var tabs = 0
        var result = try await visit(ids, there, losses) { session, isThere throws(StorageError) in
            let states = try await copy(session, isThere: isThere, losses)
            tabs += session.tabs.count
            progress?(.copying, tabs, total)
            return states
        }
        result.digest = try await digest(of: source, losses) {
            progress?(.comparing, $0, 2 * total)
        }
        let copied = try await digest(of: requiredTarget, nil) {
            progress?(.comparing, total + $0, 2 * total)
        }
        guard copied == result.digest else {
            throw StorageError(
                .corrupted, "the copy does not hold what the source holds", operation: "copy")
        }
        return result
    }

    /// Goes over the sessions of the source, and adds up what `states` says of each.
    private func visit(
        _ ids: [SessionID], _ there: Set<SessionID>, _ losses: LossHandler?,
        states: (_ session: RestoredSession, _ isThere: Bool) async throws(StorageError) -> Int
    ) async throws(StorageError) -> Result {
        var result = Result()
        for id in ids {
            guard let session = try await readable(id, losses) else { continue }
            if there.contains(id) {
                try await requireSame(session)
                result.sessionsThere += 1
            }
            result.states += try await states(session, there.contains(id))
            result.sessions += 1
            result.tabs += session.tabs.count
        }
        return result
    }

    // MARK: What there is

    private var requiredTarget: any SessionStorage {
        get throws(StorageError) {
            guard let target else {
                throw StorageError(.notFound, "there is no store to copy to", operation: "copy")
            }
            return target
        }
    }

    private func idsToCopy() async throws(StorageError) -> [SessionID] {
        try await source.sessions().filter { includesIncognito || $0.side == .regular }
    }

    /// The sessions of the source that the target holds.
    private func idsThere(of ids: [SessionID]) async throws(StorageError) -> Set<SessionID> {
        let there = Set(try await requiredTarget.sessions())
        let others = there.subtracting(ids).count
        guard others == 0 else {
            throw StorageError(
                .conflict,
                """
                the target holds \(others == 1 ? "a session" : "\(others) sessions") that the source \
                does not hold; name a new location
                """, operation: "copy")
        }
        return there
    }

    private func readable(_ id: SessionID, _ losses: LossHandler?) async throws(StorageError)
        -> RestoredSession?
    {
        guard let session = try await source.restore(id) else { return nil }
        guard session.provenance != .intact else { return session }
        guard let losses else { throw .incomplete(session) }
        for loss in session.losses { losses(loss) }
        return session
    }

    /// Throws unless the target holds the same session, with the state of its tabs or not yet.
    private func requireSame(_ session: RestoredSession) async throws(StorageError) {
        let copy = try await requiredTarget.restore(session.id)
        guard copy?.attributes == session.attributes, copy?.tabs == session.tabs else {
            throw StorageError(
                .conflict,
                """
                the target holds another version of session \(session.id) than the source, which may have \
                changed since the copy was begun; name a new location
                """, operation: "copy")
        }
    }

    // MARK: Copying

    /// - Returns: how many states the session has.
    private func copy(_ session: RestoredSession, isThere: Bool, _ losses: LossHandler?)
        async throws(StorageError) -> Int
    {
        let target = try requiredTarget
        let id = session.id
        if !isThere {
            var changes = SessionChanges()
            changes.put(session.attributes, for: id)
            for tab in session.tabs { changes.put(tab, in: id) }
            _ = try await target.save(changes, durability: .processCrash)
        }
        let keys = try await source.stateKeys(in: id)
        let known = Set(isThere ? try await target.stateKeys(in: id) : [])
        var changes = SessionChanges()
        var bytes = 0
        var unreadable = 0
        for key in keys where !known.contains(key) {
            guard
                let state = try await source.readableStates(of: [key], in: id, losses)[key]
            else {
                unreadable += 1
                continue
            }
            changes.put(state, for: key)
            bytes += state.count
            if bytes > Self.setBytes {
                _ = try await target.save(changes, durability: .processCrash)
                changes = SessionChanges()
                bytes = 0
            }
        }
        _ = try await target.save(changes, durability: .powerLoss)
        return keys.count - unreadable
    }

    private func digest(
        of storage: any SessionStorage, _ losses: LossHandler?,
        _ progress: @escaping (_ tabs: Int) -> Void
    ) async throws(StorageError) -> String {
        try await ContentDigest.compute(
            of: storage, sides: includesIncognito ? [.regular, .incognito] : [.regular],
            losses: losses, progress: progress)
    }
}
