public import BrowserSessions

extension SessionRestorer {
    /// Saves what is pending, and looks for tabs by words in open, inactive, closed and set-aside tabs and in all
    /// restore points. Each tab is found once, with where it is or when it was seen last. `[]` if nothing has
    /// all the words. Private tabs are never found. See `SessionStorage.find(_:includingEarlier:)`.
    ///
    /// - Parameters:
    ///   - words: what the user types.
    ///   - includingEarlier: whether to look in restore points, too.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func find(
        _ words: String, includingEarlier: Bool = true
    ) async throws(SessionRestorationError) -> [FoundTab] {
        try await context.save()
        do throws(StorageError) {
            return try await context.saves.store.call {
                try await $0.find(words, includingEarlier: includingEarlier)
            }
        } catch {
            throw SessionRestorationError(error)
        }
    }
}
