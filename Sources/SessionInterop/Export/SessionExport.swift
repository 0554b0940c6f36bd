/// What an export made: files, and what they do not hold.
public struct SessionExport: Sendable {
    /// One file with an empty path, or the files of a folder.
    public var files: [ExportedFile]
    /// Open windows, open tabs and their history entries as they were written; closed ones apart.
    public var counts: ImportCounts
    /// How many of each part were there and are not in the files. Without an entry for what is
    /// whole, and for what the sessions do not have.
    public var losses: [SessionPart: Int]

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
    /// Below the folder that the user names, parts divided by slashes; empty if that is the file.
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
