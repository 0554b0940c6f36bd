import BrowserSessions
import Foundation

/// The forms in which a report is written.
public enum BenchFormat: String, CaseIterable, Sendable {
    case text, markdown, csv, json, html

    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "txt", "text": self = .text
        case "md", "markdown": self = .markdown
        case "csv": self = .csv
        case "json": self = .json
        case "html", "htm": self = .html
        default: return nil
        }
    }
}

extension BenchReport {
    /// The report as a whole file of the format: JSON, else a table.
    public func formatted(_ format: BenchFormat) throws -> String {
        guard format == .json else { return table }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    private var table: String {
        var lines = [Self.row(Self.header)]
        lines += results.map { row in
            Self.row([
                row.workload, "\(row.tabs)", "\(row.stateBytes)", row.durability.rawValue,
                row.backend, "\(row.samples)", Self.short(row.microseconds.p50),
                Self.short(row.microseconds.p99), Self.short(row.floorRatio) + (row.floor ?? ""),
                Self.short(row.overwriteRatio ?? 0), "\(row.bytesWritten)", Self.short(row.syncs),
                row.verified ? "yes" : "NO",
            ])
        }
        if let incompleteBecause { lines.append("INCOMPLETE: \(incompleteBecause)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let header = [
        "workload", "tabs", "state", "durability", "backend", "n", "p50", "p99", "ratio", "to O",
        "bytes", "syncs", "right",
    ]
    private static let widths = [25, 7, 8, 13, 18, 6, 11, 11, 9, 7, 10, 7, 5]

    private static func row(_ cells: [String]) -> String {
        zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(1, width - cell.count))
        }.joined()
    }

    private static func short(_ value: Double) -> String {
        "\((value * 100).rounded() / 100)"
    }
}
