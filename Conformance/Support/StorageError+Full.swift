import BrowserSessions

extension StorageError {
    /// The error with its underlying errors, to find the cause: `open: … (failed) because: …`.
    var full: String {
        var text = "\(self)"
        var next = underlying
        while let error = next {
            text += " because: \(error)"
            next = (error as? StorageError)?.underlying
        }
        return text
    }
}
