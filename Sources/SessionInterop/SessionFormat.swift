public import BrowserSessions

/// A kind of session file that ``SessionImporter`` reads.
///
/// A format is one value. It says how its files, folders and profiles are recognized and read, and
/// which format of an export it reads again. Everything else that belongs to it is in its folder.
public struct SessionFormat: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// All formats. The first one that recognizes a file or folder reads it.
    public static let allCases: [SessionFormat] = [
        .chromeIOS, .chromeIOSArchive, .firefoxIOS, .firefoxDesktop, .chromiumSNSS, .links,
        .bookmarks, .page, .canonical,
    ]

    /// The name in commands, reports and the notes of a store.
    public let rawValue: String
    let reader: any FormatReader.Type
    /// The format in which exports write such files; `nil` if none does.
    let writer: ExportFormat?
    let traits: Set<Trait>

    enum Trait {
        /// A source is a folder.
        case isFolder
        /// Windows and tabs keep their identifiers when a file changes.
        case hasLastingIDs
        /// Files of other programs often have such names, so other content in them is not damage.
        case hasCommonNames
        /// A profile has files of open tabs and files of closed ones.
        case hasTwoKinds
    }

    init(
        _ name: String, _ reader: any FormatReader.Type, writer: ExportFormat? = nil,
        _ traits: Set<Trait> = []
    ) {
        (rawValue, self.reader, self.writer, self.traits) = (name, reader, writer, traits)
    }

    /// Returns the format with a name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = format
    }

    /// Returns the format of the file or directory at a path.
    ///
    /// Returns `nil` if no format fits, or for a folder that is not a profile. Such a folder can
    /// still be passed to ``SessionImporter/read(path:as:scope:incognito:)``.
    ///
    /// - Throws: `notFound` if there is nothing at the path, and `permissionDenied` or `failed` if
    ///   it cannot be examined.
    public static func detect(path: String) throws(StorageError) -> SessionFormat? {
        switch try SourceFile.kind(of: path) {
        case nil: throw SourceFile.failure(.notFound, "there is nothing at \(shown(path))")
        case .file: try SourceHead.ofCandidate(path, ImportLimits()).flatMap(Self.of)
        case .directory: Self.of(try SourceFile.folder(path))?.format
        case .link, .other: nil
        }
    }

    /// Returns the format of a file; `nil` if there is none. The content decides, and the name of a
    /// file with JSON that is cut or damaged too early to show it.
    static func of(_ head: SourceHead) throws(StorageError) -> SessionFormat? {
        guard head.program == nil else { return nil }
        for format in allCases where try format.reader.recognizes(head) { return format }
        guard head.isDamaged, let format = named(head.name), head.begins(like: format.reader)
        else { return nil }
        return format
    }

    /// Returns the format of files that usually have this name; `nil` for other names.
    static func named(_ name: String) -> SessionFormat? {
        allCases.first { $0.reader.isName(name) }
    }

    /// Returns what a folder is to the first format that recognizes it; `nil` if none does.
    static func of(_ folder: SourceFile.Folder) -> (format: SessionFormat, role: FolderRole)? {
        for format in allCases {
            if let role = format.reader.role(of: folder) { return (format, role) }
        }
        return nil
    }
}

extension ExportFormat: CaseIterable {
    /// All formats, in the order of the formats that read them again.
    public static let allCases = SessionFormat.allCases.compactMap(\.writer)

    /// Returns the format with a name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = format
    }
}
