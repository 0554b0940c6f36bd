import BrowserSessions

/// The beginning of a file, by which formats recognize their files.
struct SourceHead {
    /// The number of bytes that are examined.
    static let maximumBytes = 64 * 1024
    /// The number of bytes that rule out most files.
    private static let fewBytes = 64

    let path: String
    let limits: ImportLimits
    let bytes: [UInt8]
    /// The bytes as UTF-8, without a byte order mark.
    let text: [UInt8]
    /// The text after white space.
    let start: ArraySlice<UInt8>
    /// The value of a JSON text, as far as it can be read; `nil` for any other text.
    let root: JSONValue?
    /// Whether the text is not JSON, or is cut or damaged.
    let isDamaged: Bool

    init(_ path: String, _ bytes: [UInt8], _ limits: ImportLimits) {
        (self.path, self.bytes, self.limits) = (path, bytes, limits)
        text = SourceText(bytes).bytes
        start = text.drop { $0 <= 0x20 }
        let isJSON = start.first.map { "{([".utf8.contains($0) } ?? false
        let (value, failures) = isJSON ? JSONParser.parse(text) : (nil, [])
        root = value
        isDamaged = value == nil || !failures.isEmpty
    }

    init(_ path: String, _ limits: ImportLimits, count: Int = maximumBytes) throws(StorageError) {
        self.init(path, try SourceFile.head(path, count: count), limits)
    }

    /// Reads the beginning of a file that a format may recognize; `nil` for all others.
    static func ofCandidate(_ path: String, _ limits: ImportLimits) throws(StorageError)
        -> SourceHead?
    {
        let start = try SourceHead(path, limits, count: fewBytes)
        let isCandidate = SessionFormat.allCases.contains { $0.reader.mayRecognize(start) }
        return isCandidate ? try SourceHead(path, limits) : nil
    }

    var name: String { lastComponent(path) }

    /// The program that exported the file; `nil` if its exports are not known by name.
    var program: String? { root.flatMap { ForeignExport.program(of: $0) } }

    /// Returns whether the file begins like the files of a format, as far as it goes.
    func begins(like reader: any FormatReader.Type) -> Bool {
        reader.beginnings.contains {
            bytes.starts(with: $0) || $0.starts(with: bytes) || start.starts(with: $0)
        }
    }
}
