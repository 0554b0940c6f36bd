public import BrowserSessions

extension SessionChanges {
    /// Checks the rules that every store has for change sets; call it before anything is changed.
    ///
    /// A storage over ``OrderedSessionStorage`` refuses invalid sets by itself. This method is for
    /// a storage that keeps sessions in its own way, so that its users need not know which kind
    /// they have.
    ///
    /// Throws `StorageError.Code.invalidChanges` if the changes concern both partitions, two of
    /// them concern one record, or they contradict each other. Throws `StorageError.Code.tooLarge`
    /// for a state over the limit, a place over `OrderKey.maximumLength` or metadata over 1 MiB.
    /// Does not check ``expectedSequence`` and ``commitID``, which depend on the store.
    ///
    /// - Parameter maximumStateBytes: the limit of one state in bytes; see
    ///   `StorageTraits.maximumStateBytes`.
    /// - Returns: the partition that all changes concern; `nil` if there are no changes.
    @discardableResult
    public func validate(maximumStateBytes: Int) throws(StorageError) -> StoragePartition? {
        let partition = try ValidatedChanges(self, maximumStateBytes: maximumStateBytes).partition
        for change in changes {
            guard case .put(let record) = change else { continue }
            try ChangeRules.checkRecord(record.encodedPayload().count, of: change.subject)
        }
        return partition
    }

    /// Checks the rule for states, which depends on what the store holds: each state's tab is in
    /// its partition after the set. Call it for sets that passed ``validate(maximumStateBytes:)``
    /// and were not applied before.
    ///
    /// Throws `StorageError.Code.invalidChanges` otherwise.
    ///
    /// - Parameter session: returns the session of a tab in the partition now; `nil` if none.
    public func validateStates(_ session: (TabID) -> SessionID?) throws(StorageError) {
        var outline = ChangeOutline(count: changes.count)
        for change in changes { try outline.note(change) }
        try outline.checkStates(session)
    }
}
