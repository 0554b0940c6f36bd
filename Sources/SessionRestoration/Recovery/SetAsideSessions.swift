public import BrowserModel
public import BrowserSessions
import Logging

/// Windows that were taken out of the user's way and can be brought back: ``SessionRestorer/setAside``.
public final class SetAsideSessions {
    private let context: RestorerContext
    private let suspicion: SuspicionRules
    private let opener: WindowOpener
    private var records: [SessionID: Record] = [:]

    struct Record {
        var attributes: SessionAttributes
        var tabs: Int
        /// What the session shows.
        var active: TabMetadata?
    }

    init(_ context: RestorerContext, _ suspicion: SuspicionRules, _ opener: WindowOpener) {
        self.context = context
        self.suspicion = suspicion
        self.opener = opener
    }

    // MARK: For the host

    /// What was set aside at this launch, an earlier one, or while the app runs; the newest first.
    /// It stays here until the host brings it back or discards it. Empty before windows were
    /// restored, and when there is nothing.
    public var sessions: [SetAsideSession] {
        records.map { SetAsideSession($0.key, $0.value) }
            .sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }

    /// Opens a window with the tabs of a session that was set aside: the one that they were in, or
    /// a new one if that is open or saved with other tabs by now. The tabs keep their identifiers
    /// and are not realized, not even the active one, because one of them may crash the app.
    ///
    /// They are moved in one set of changes that survives all that the store can promise: at any
    /// moment they are in one place. When it throws, nothing was opened;
    /// ``SessionRestorationError/unknownSession(_:)`` means that there is no such session any more.
    @discardableResult
    public func bringBack(_ id: SessionID) async throws(SessionRestorationError) -> Window {
        try check(id)
        do {
            try await context.ledger.saveBeforeReading()
            return try await context.ledger.door.inTurn(.regular) { try await moveBack(id) }
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Notes that the user has seen that a session was set aside: from now on it may be discarded
    /// for its age, or because there are too many. Returns when that is saved.
    public func acknowledge(_ id: SessionID) async throws(SessionRestorationError) {
        try check(id)
        guard var record = records[id], record.attributes.acknowledgedAt == nil else { return }
        record.attributes.properties[SavedProperty.acknowledgedAt] = context.now().savedText
        record.attributes.ageMark = context.age.next()
        records[id] = record
        context.ledger.regular.put(record.attributes, for: id)
        try await context.save()
    }

    /// Removes a session that was set aside with its tabs, for good. Returns when that is saved;
    /// when saving fails it is tried again.
    public func discard(_ id: SessionID) async throws(SessionRestorationError) {
        try check(id)
        forget(id)
        try await context.save()
    }

    private func check(_ id: SessionID) throws(SessionRestorationError) {
        try context.checkIsRunning()
        guard records[id] != nil else { throw .unknownSession(id) }
    }

    private func moveBack(_ id: SessionID) async throws -> Window {
        guard var session = try await context.ledger.restore(id) else {
            records[id] = nil
            throw SessionRestorationError.unknownSession(id)
        }
        let reservation = try await place(for: session)
        let companions = try await opener.readCompanions(of: reservation.sessionID)
        guard records[id] != nil else { throw SessionRestorationError.unknownSession(id) }
        session.id = reservation.sessionID
        session.attributes = session.attributes.broughtBack
        session.attributes.activeTab = session.shownTab?.id
        var changes = SessionChanges()
        changes.put(session.attributes, for: session.id)
        for tab in session.tabs { changes.put(tab, in: session.id) }
        changes.remove(id)
        try await context.ledger.apply(changes)
        guard records.removeValue(forKey: id) != nil else {
            // It was discarded while it moved.
            context.ledger.regular.remove(session.id)
            throw SessionRestorationError.unknownSession(id)
        }
        return try opener.open([session] + companions, as: session.id, reservation)
    }

    /// The identifier of the window from which the tabs came, unless it is in use.
    private func place(for session: RestoredSession) async throws(StorageError)
        -> WindowReservation
    {
        let ids = context.windows.ids
        let window = session.attributes.originalSession
        let kind = window.flatMap { $0.kind.isReopenable ? $0.kind : nil } ?? .regular
        guard let window, window.kind == kind,
            let reservation = try? ids.reserve(window.window, kind)
        else { return ids.reserveNew(kind) }
        do throws(StorageError) {
            if try await context.ledger.restore(window) == nil { return reservation }
        } catch {
            guard error.code == .corrupted else { throw error }
        }
        return ids.reserveNew(kind)
    }

    // MARK: At launch

    /// Notes what earlier processes have set aside.
    func found(_ sessions: [RestoredSession]) {
        for session in sessions {
            records[session.id] = Record(
                attributes: session.attributes, tabs: session.tabs.count, active: session.shownTab)
        }
    }

    /// Takes windows out of the way, all of them in one set of changes: a process that is killed
    /// meanwhile leaves all or none of them.
    func setAside(
        _ sessions: [RestoredSession], _ reason: SetAsideReason
    ) async throws(StorageError) {
        guard !sessions.isEmpty else { return }
        var changes = SessionChanges()
        let moved = sessions.map { session in
            var copy = session
            copy.id = SessionID(window: .random(), kind: .setAside)
            copy.attributes = session.attributes.setAside(
                from: session.id, reason, at: context.now())
            changes.put(copy.attributes, for: copy.id)
            for tab in copy.tabs { changes.put(tab, in: copy.id) }
            changes.remove(session.id)
            return copy
        }
        try await context.ledger.applyInTurn(changes)
        context.logger.warning(
            "windows were set aside",
            metadata: ["windows": "\(moved.count)", "reason": "\(reason.rawValue)"])
        found(moved)
    }

    // MARK: While the app runs

    /// Settles, before a save, what becomes of tabs that were closed without the user.
    func decideOnClosings() {
        let ledger = context.ledger.regular
        for emptied in suspicion.decide(ledger) {
            var attributes = emptied.window.savedAttributes
                .setAside(from: emptied.window.sessionID, .emptied, at: context.now())
            attributes.groups = emptied.groups
            attributes.activeTab = nil
            ledger.put(attributes, for: emptied.session)
            records[emptied.session] = Record(
                attributes: attributes, tabs: emptied.tabs.count, active: emptied.tabs.shownTab)
            context.logger.warning(
                "a window lost all its tabs, and not by the user",
                metadata: ["window": "\(emptied.window.id)", "tabs": "\(emptied.tabs.count)"])
            context.tell(.windowEmptied(emptied.window.id, tabs: emptied.tabs.count))
        }
    }

    /// Discards what was acknowledged and is too old or one too many, and reports it.
    ///
    /// Called after a save of this process: as long as nothing newer is saved, what was set aside
    /// may be the only copy. Nothing is discarded when something could not be read at launch.
    func discardOld() {
        guard context.phase == .running, context.report?.isSuspicious == false else { return }
        let policy = context.policy.crashes
        var acknowledged: [(id: SessionID, mark: StoreAge.Mark)] = []
        for (id, record) in records where record.attributes.acknowledgedAt != nil {
            if let mark = record.attributes.ageMark, context.age.knows(mark) {
                acknowledged.append((id, mark))
            } else {
                seen(id)
            }
        }
        acknowledged.sort { ($0.mark.value, $0.id) > ($1.mark.value, $1.id) }
        var dropped = DroppedItems()
        for (index, entry) in acknowledged.enumerated() {
            let isOld = context.age.age(of: entry.mark).map { $0 > policy.setAsideAge } ?? false
            if isOld || index >= policy.maximumSetAside { dropped.setAside.append(entry.id) }
        }
        guard !dropped.isEmpty else { return }
        for id in dropped.setAside { forget(id) }
        context.tell(.dropped(dropped))
    }

    /// This store has not counted how old it is: it ages from now on.
    private func seen(_ id: SessionID) {
        guard var record = records[id] else { return }
        record.attributes.ageMark = context.age.next()
        records[id] = record
        context.ledger.regular.put(record.attributes, for: id)
    }

    /// Removes a session without waiting for the store.
    func forget(_ id: SessionID) {
        records[id] = nil
        context.ledger.regular.remove(id)
    }
}

extension RestoredSession {
    /// The tab that a list of sessions shows for it: the active one, else the one used last.
    var shownTab: TabMetadata? {
        tabs.first { $0.id == attributes.activeTab } ?? tabs.shownTab
    }
}

extension [TabMetadata] {
    /// The one used last; `nil` if there is none.
    var shownTab: TabMetadata? {
        self.max { ($0.lastActiveAt, $0.id) < ($1.lastActiveAt, $1.id) }
    }
}
