public import BrowserSessions

/// Receives a copy of the files of a partition that another opener has open; see
/// ``FileEngine/copyLive(_:to:)``.
public struct LiveStoreCopy: Sendable {
    /// The folder of the copy, which is empty at first. No other process sees it.
    public let directory: any FileDirectory

    /// Creates a copy in an empty folder.
    public init(in directory: any FileDirectory) { self.directory = directory }

    /// Returns the error by which an engine reports that its files changed in a way that spoils the
    /// copy: the store makes another one.
    public static func changed(_ what: String) -> StorageError {
        StorageError(.unavailable, "\(what) while it was copied", operation: "copy")
    }

    /// Copies a file as far as it went when the call began. What is appended meanwhile stays out.
    ///
    /// Throws `StorageError.Code.notFound` if the file is gone, which means ``changed(_:)`` for a name
    /// that was listed.
    ///
    /// - Parameter name: the name of the file, in both directories.
    /// - Parameter source: the directory of the file.
    /// - Parameter target: the directory of the copy; `nil` for ``directory``.
    public func copy(
        _ name: String, from source: any FileDirectory, to target: (any FileDirectory)? = nil
    ) throws(StorageError) {
        let target = target ?? directory
        guard try source.status(of: name) != nil else {
            throw StorageError(.notFound, "'\(source.path(of: name))' is gone", operation: "copy")
        }
        try target.removeEntry(name)
        try source.copy(name, to: name, in: target, durably: false)
    }
}
