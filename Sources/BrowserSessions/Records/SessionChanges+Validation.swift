extension SessionChanges {
    /// Checks the rules that every store has for change sets; call it before anything is changed.
    ///
    /// A storage built on ``OrderedSessionStorage`` refuses such sets by itself; this is for one
    /// that keeps sessions in its own way, so that its users need not know which they have.
    ///
    /// Throws ``StorageError/Code/invalidChanges`` if the changes concern both sides, two of them
    /// concern one record, or they contradict each other, and ``StorageError/Code/tooLarge`` for a
    /// state over the limit, a place over ``OrderKey/maximumLength`` or metadata over 1 MiB. Neither
    /// ``expectedSequence`` nor ``commitID`` is looked at: they depend on the store.
    ///
    /// - Parameter maximumStateBytes: the limit of one state in bytes; see
    ///   ``StorageTraits/maximumStateBytes``.
    /// - Returns: the side that all changes concern; `nil` if there are no changes.
    @discardableResult
    public func validate(maximumStateBytes: Int) throws(StorageError) -> StorageSide? {
        let side = try ChangeRules.check(changes, maximumStateBytes: maximumStateBytes)
        for change in changes {
            switch change {
            case .putSession(_, let attributes):
                try ChangeRules.checkRecord(of: "session", attributes.encodedPayload().count)
            case .putTab(let tab, _):
                try ChangeRules.checkRecord(of: "tab", tab.encodedPayload().count)
            case .removeSession, .removeTab, .putState, .removeState: continue
            }
        }
        return side
    }
}
