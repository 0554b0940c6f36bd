/// Where something stands in the sources of the suite.
public struct SourcePlace: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Below the folder of the package: `Conformance/Cases/Save/SaveMeaning.swift`.
    public let file: String
    public let line: Int

    /// - Parameter path: the file as the compiler names it, wherever the package lies.
    init(path: String, line: Int) {
        let parts = path.split(separator: "/")
        let start = parts.lastIndex(of: "Conformance") ?? parts.index(before: parts.endIndex)
        file = parts[start...].joined(separator: "/")
        self.line = line
    }

    /// `Conformance/Cases/Save/SaveMeaning.swift:12`.
    public var description: String { "\(file):\(line)" }
}
