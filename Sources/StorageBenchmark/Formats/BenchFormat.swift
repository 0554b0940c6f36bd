import CommandLineSupport

/// The formats of a report.
public enum BenchFormat: String, CaseIterable, Sendable {
    /// Tables for a terminal, at most 120 columns wide.
    case text
    /// Tables to paste into a README.
    case markdown
    /// The document that ``BenchReport/init(json:)`` reads.
    case json

    /// Creates the format for a file extension such as `md` or `.json`; `nil` if there is none.
    public init?(fileExtension: String) {
        let letters = fileExtension.lowercased()
        let ending = letters.hasPrefix(".") ? String(letters.dropFirst()) : letters
        guard let format = Self.allCases.first(where: { $0.fileEndings.contains(ending) }) else {
            return nil
        }
        self = format
    }
}

extension BenchFormat: ReportFileFormat {
    package var isJSON: Bool { self == .json }

    package var fileEndings: [String] {
        switch self {
        case .text: ["txt", "text"]
        case .markdown: ["md", "markdown"]
        case .json: ["json"]
        }
    }
}

extension BenchReport {
    /// Returns the report as a complete file of the format, with a newline at its end.
    ///
    /// - Throws: ``BenchDocumentError`` if a figure is not a number, which JSON cannot hold.
    public func formatted(_ format: BenchFormat) throws -> String {
        switch format {
        case .text: TextReport(self).written()
        case .markdown: MarkdownReport(self).written()
        case .json: try json()
        }
    }
}
