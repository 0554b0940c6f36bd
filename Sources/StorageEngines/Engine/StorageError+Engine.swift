import BrowserSessions

extension StorageError {
    /// Wraps any error of an engine as an error of its store.
    init(ofEngine error: any Error) {
        self =
            error as? StorageError
            ?? StorageError(.failed, "the engine reported: \(error)", underlying: error)
    }
}
