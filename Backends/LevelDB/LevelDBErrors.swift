internal import BrowserSessions
internal import CLevelDB

/// Converts LevelDB's messages to storage errors. The C interface has no codes, so the texts are
/// matched, here only.
enum LevelDBErrors {
    /// Returns the error for a message that LevelDB allocated; `nil` if there is none.
    static func take(_ message: UnsafeMutablePointer<CChar>?, _ operation: String) -> StorageError?
    {
        guard let message else { return nil }
        defer { leveldb_free(message) }
        var text = String(cString: message)
        // The only message that quotes a key.
        if text.contains("corrupted key for") { text = "Corruption: corrupted key" }
        // A path through an open directory means nothing to people.
        if let start = text.firstRange(of: "/proc/self/fd/") {
            text.removeSubrange(
                start.lowerBound..<text[start.upperBound...].prefix { $0.isNumber }.endIndex)
        }
        return StorageError(
            code(for: text), "LevelDB cannot \(operation): \(text)", operation: operation)
    }

    static func corrupted(_ message: String) -> StorageError {
        StorageError(.corrupted, message, operation: "open")
    }

    static let durabilityLost = StorageError(
        .durabilityLost, "an earlier save may not be durable; open the store again")

    static let outOfSpace = StorageError(
        .outOfSpace, "LevelDB needs space to open the database for writing")

    static let closed = StorageError(.closed, "the store is closed")

    private static func code(for text: String) -> StorageError.Code {
        // The files were there a moment before: the directory could not be listed.
        if text.contains(" missing files; e.g.") { return .failed }
        if text.hasPrefix("Corruption:") { return .corrupted }
        for (words, code) in meanings where text.contains(words) { return code }
        return .failed
    }

    private static let meanings: [(String, StorageError.Code)] = [
        // LevelDB was asked to read past the end of a file.
        ("Invalid argument", .corrupted),
        ("already held by process", .locked),
        ("LOCK: Resource temporarily unavailable", .locked),
        ("No space left on device", .outOfSpace),
        ("Disk quota exceeded", .outOfSpace),
        ("File too large", .outOfSpace),
        ("Permission denied", .permissionDenied),
        ("Operation not permitted", .permissionDenied),
        ("Read-only file system", .permissionDenied),
    ]
}
