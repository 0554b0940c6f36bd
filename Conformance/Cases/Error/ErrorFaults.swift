import BrowserSessions
/// An error that holds what was to be saved.
struct Refusal: Error { var changes: SessionChanges }
extension SessionStorage {
    /// Changes the errors of saves.
    func refusing(_ change: @escaping @Sendable (inout StorageError, SessionChanges) -> Void)
        -> AlteredStorage
    {
        refused(for: StorageError.Code.allCases) { save, _, error in
            var error = error
            change(&error, save.changes)
            throw error
        }
    }
}
