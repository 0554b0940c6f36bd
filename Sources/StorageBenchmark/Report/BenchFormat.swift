import CommandLineSupport

/// The formats of a report.
enum BenchFormat: String, ReportFileFormat {
    /// Figures for a terminal.
    case text
    /// Tables to paste into a README.
    case markdown
    /// The document that ``BenchReport/init(json:)`` reads.
    case json

    var isJSON: Bool { self == .json }

    var fileEndings: [String] {
        switch self {
        case .text: ["txt", "text"]
        case .markdown: ["md", "markdown"]
        case .json: ["json"]
        }
    }
}
