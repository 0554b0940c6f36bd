import BrowserSessions

extension StorageError {
    /// The error with the errors below it, for somebody who looks for the cause: `open: … (failed)
    /// because: …`.
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
