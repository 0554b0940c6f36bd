public import BrowserSessions

extension StorageError {
    /// Wraps any error of an engine as an error of its store.
    init(ofEngine error: any Error) {
        self =
            error as? StorageError
            ?? StorageError(.failed, "the engine reported: \(error)", underlying: error)
    }

    /// Returns the same error with another effect, and with more words at the end of its message.
    public func with(_ effect: Effect, adding words: String = "") -> StorageError {
        var error = self
        error.effect = effect
        error.message += words
        return error
    }
}
