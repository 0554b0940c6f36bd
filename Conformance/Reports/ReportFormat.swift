import Foundation

/// The forms in which a report is written.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    case text, markdown, json, junit
    /// A page of what is promised about kills, power cuts and failing calls, and how it was tried.
    case promises

    /// How the names of its files end, the usual one first: `md`.
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
    /// The report in one of its forms, with a line feed at its end.
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

/// JSON as all reports have it: the same bytes for the same value.
enum ReportJSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}

extension RunOutcome {
    /// For people.
    var words: String {
        switch self {
        case .conformant: "conformant"
        case .violation: "not conformant"
        case .partial: "no violation found, but a part was not tried or is known to fail"
        case .harnessError: "could not be judged"
        }
    }
}
