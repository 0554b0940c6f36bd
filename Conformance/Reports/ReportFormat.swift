import Foundation

/// The formats of a report.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// Plain text or Markdown for people, JSON or the XML of JUnit for programs.
    case text, markdown, json, junit
    /// A page of the promises about kills, power cuts, and failing calls, and how they were tried.
    case promises

    /// The extensions of its files, the usual one first: `md`.
    public var fileEndings: [String] {
        switch self {
        case .text: ["txt", "text"]
        case .markdown: ["md", "markdown"]
        case .json: ["json"]
        case .junit: ["xml"]
        case .promises: []
        }
    }
}

extension ConformanceReport {
    /// Returns the report in one of its formats, ending with a line feed.
    public func formatted(_ format: ReportFormat) throws -> String {
        switch format {
        case .text: text
        case .markdown: markdown
        case .json: try ReportJSON.encode(self)
        case .junit: junit
        case .promises: promises
        }
    }
}

/// Encodes JSON as all reports do: the same bytes for the same value.
enum ReportJSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}

extension RunOutcome {
    /// The outcome in plain text.
    var words: String {
        switch self {
        case .conformant: "conformant"
        case .violation: "not conformant"
        case .partial: "no violation found, but a part was not tried or is known to fail"
        case .harnessError: "could not be judged"
        }
    }
}
