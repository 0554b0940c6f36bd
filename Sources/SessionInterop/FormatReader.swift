import BrowserSessions

/// What recognizes, finds and reads the sessions of one format.
protocol FormatReader: SendableMetatype {
    /// The beginnings of files, in their bytes or in their text after white space. A file with none
    /// of them is not examined any further.
    static var beginnings: [[UInt8]] { get }

    /// Returns whether a file with this name is one of the format even if its content is damaged.
    static func isName(_ name: String) -> Bool

    /// Returns whether a file may be one of the format, by its first bytes and its name.
    static func mayRecognize(_ start: SourceHead) -> Bool

    /// Returns whether a file is one of the format.
    static func recognizes(_ head: SourceHead) throws(StorageError) -> Bool

    /// Returns what a folder is to the format; `nil` if it is like any other folder.
    static func role(of folder: SourceFile.Folder) -> FolderRole?

    /// Returns the places with sessions in a profile, or of files in any other folder that only
    /// together say which of them a browser would restore.
    static func places(
        in folder: SourceFile.Folder, isProfile: Bool, _ failures: inout ReadFailures
    ) -> [FoundSources]

    /// Returns the place that a source belongs to; `nil` if it is a place of its own.
    ///
    /// - Parameter root: The folder that is imported; `nil` for a single source.
    static func place(of path: String, in root: String?) -> FoundSources?

    /// Reads a source.
    static func read(_ path: String, limits: ImportLimits) throws(StorageError) -> SourceReading

    /// Returns the profile of a file if its name and folder fit one.
    static func profile(of path: String) -> String?

    /// Returns the time at which the browser made the profile, as its own files have it; empty if
    /// unknown. A profile that is moved or copied keeps it.
    static func creation(ofProfile folder: String) -> String
}

/// What a folder is to a format.
enum FolderRole {
    /// One source.
    case source
    /// A profile, in which nothing else is examined.
    case profile
    /// A folder of sources, which is searched like any other.
    case sources
}

extension FormatReader {
    static func isName(_ name: String) -> Bool { false }

    static func mayRecognize(_ start: SourceHead) -> Bool { start.begins(like: self) }

    static func role(of folder: SourceFile.Folder) -> FolderRole? { nil }

    static func places(
        in folder: SourceFile.Folder, isProfile: Bool, _ failures: inout ReadFailures
    ) -> [FoundSources] { [] }

    static func place(of path: String, in root: String?) -> FoundSources? { nil }

    static func profile(of path: String) -> String? { nil }

    static func creation(ofProfile folder: String) -> String { "" }
}

/// A reader of a format in which each source is one file.
protocol FileReader: FormatReader {
    /// Reads the content of a file.
    ///
    /// - Parameter name: The name of the file.
    static func read(_ file: [UInt8], name: String, limits: ImportLimits) throws(StorageError)
        -> SourceReading
}

extension FileReader {
    static func read(_ path: String, limits: ImportLimits) throws(StorageError) -> SourceReading {
        let file = try SourceFile.read(path, limit: limits.maximumFileBytes)
        return try read(file, name: lastComponent(path), limits: limits)
    }
}
