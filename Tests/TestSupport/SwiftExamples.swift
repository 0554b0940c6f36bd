import BrowserSessions
import StorageEngines

/// The Swift examples of a page of the documentation, to be found in a file that is compiled.
public struct SwiftExamples {
    private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }
        .joined()
    private let examples: [String]

    public var count: Int { examples.count }

    /// - Parameter page: its path in the package.
    public init(in page: String) throws {
        let text = try Self.text(page)
        examples = text.split(separator: "```swift\n").dropFirst().map {
            String($0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex))
        }
    }

    /// The examples that the file does not have, line for line but for the indentation; `[]` if it
    /// has all.
    ///
    /// - Parameter file: its path in the package.
    public func missing(in file: String) throws -> [String] {
        let code = try Self.text(file)
        return examples.filter { !code.contains($0) }
    }

    /// The lines of a file without the spaces at their beginnings.
    private static func text(_ path: String) throws -> String {
        String(decoding: try FileSystem.read("\(package)/\(path)"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
            .joined(separator: "\n")
    }
}
