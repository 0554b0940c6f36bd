import Foundation

/// A location in the sources of the suite.
public struct SourcePlace: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The path below the package's folder: `Conformance/Cases/Save/SaveMeaning.swift`.
    public let file: String
    /// The number of the line, starting at 1.
    public let line: Int

    /// - Parameter path: the file as the compiler names it, wherever the package is.
    init(path: String, line: Int) {
        let folder = path.range(of: "/Conformance/", options: .backwards)
        let slash = folder ?? path.range(of: "/", options: .backwards)
        file = slash.map { String(path[path.index(after: $0.lowerBound)...]) } ?? path
        self.line = line
    }

    /// `Conformance/Cases/Save/SaveMeaning.swift:12`.
    public var description: String { "\(file):\(line)" }
}
