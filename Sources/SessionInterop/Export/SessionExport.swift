/// The result of an export: the files, and what they do not hold.
public struct SessionExport: Sendable {
    /// One file with an empty path, or the files of a folder.
    public var files: [ExportedFile]
    /// The open windows, open tabs and history entries in the files. Closed ones are separate.
    public var counts: ImportCounts
    /// The number of each part that is missing from the files. A part has no entry if it is
    /// complete or if the sessions do not have it.
    public var losses: [SessionPart: Int]

    /// Creates a result from its parts, by default without files.
    public init(
        files: [ExportedFile] = [], counts: ImportCounts = ImportCounts(),
        losses: [SessionPart: Int] = [:]
    ) {
        self.files = files
        self.counts = counts
        self.losses = losses
    }

    /// The losses as sentences, in the order of ``SessionPart``: `3 page states`.
    public var lossLines: [String] {
        SessionPart.allCases.compactMap { part in losses[part].map { part.text($0) } }
    }
}

/// One file of an export.
public struct ExportedFile: Hashable, Sendable {
    /// The path in the folder that the user names, with slashes; empty if the user names the file.
    public var path: String
    /// The content of the whole file.
    public var bytes: [UInt8]

    /// Creates a file in memory. Nothing is written to a disk.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
