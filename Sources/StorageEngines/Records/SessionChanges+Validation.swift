public import BrowserSessions

extension SessionChanges {
    /// Checks the rules that every store has for change sets; call it before anything is changed.
    ///
    /// A storage built on ``OrderedSessionStorage`` refuses such sets by itself; this is for one
    /// that keeps sessions in its own way, so that its users need not know which they have.
    ///
    /// Throws `StorageError.Code.invalidChanges` if the changes concern both sides, two of them
    /// concern one record, or they contradict each other, and `StorageError.Code.tooLarge` for a
    /// state over the limit, a place over `OrderKey.maximumLength` or metadata over 1 MiB. Neither
    /// ``expectedSequence`` nor ``commitID`` is looked at: they depend on the store.
    ///
    /// - Parameter maximumStateBytes: the limit of one state in bytes; see
    ///   `StorageTraits.maximumStateBytes`.
    /// - Returns: the side that all changes concern; `nil` if there are no changes.
    @discardableResult
    public func validate(maximumStateBytes: Int) throws(StorageError) -> StorageSide? {
        let side = try ChangeRules.check(changes, maximumStateBytes: maximumStateBytes)
        for change in changes {
            switch change {
            case .putSession(_, let attributes):
                try ChangeRules.checkRecord(
                    of: change.subject, attributes.encodedPayload().count)
            case .putTab(let tab, _):
                try ChangeRules.checkRecord(of: change.subject, tab.encodedPayload().count)
            case .removeSession, .removeTab, .putState, .removeState: continue
            }
        }
        return side
    }

    /// Checks the rule for states, which depends on what the store holds: each is of a tab that is on
    /// its side after the set. Call it for sets that ``validate(maximumStateBytes:)`` let pass and that
    /// were not applied before.
    ///
    /// Throws `StorageError.Code.invalidChanges` otherwise.
    ///
    /// - Parameter session: in which session the side has a tab now; `nil` if in none.
    public func validateStates(_ session: (TabID) -> SessionID?) throws(StorageError) {
        var put: Set<TabID> = []
        var removed: Set<SessionID> = []
        var states: [TabStateKey] = []
        for change in changes {
            switch change {
            case .putTab(let tab, _): put.insert(tab.id)
            case .removeSession(let id): removed.insert(id)
            case .putState(_, let key): states.append(key)
            case .putSession, .removeTab, .removeState: continue
            }
        }
        for key in states where !put.contains(key.tab) {
            if let home = session(key.tab), !removed.contains(home) { continue }
            throw ChangeRules.invalid(
                """
                the '\(key.name.rawValue)' state of tab \(key.tab) is put on the \
                \(key.side.rawValue) side, where the tab is not; name its session, and save the tab \
                before or with it
                """, .state(key))
        }
    }
}
