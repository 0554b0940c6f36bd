import CommandLineSupport
import Foundation

extension Console {
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Rows with columns of equal width; numbers to the right. The first row is the heading.
    static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let room = String(repeating: " ", count: widths[column] - cell.count)
                return cell.first?.isNumber == true && column > 0 ? room + cell : cell + room
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// A line on a terminal that tells how far long work is; silent elsewhere.
final class Progress {
    private let label: String
    private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private var shown = ""

    init(_ label: String) { self.label = label }

    func update(_ done: Int, of total: Int) {
        show("\(total > 0 ? done * 100 / total : 100) %")
    }

    /// For work whose size is not known before.
    func update(_ tabs: Int) { show("\(tabs) tabs") }

    func finish() {
        if !shown.isEmpty { write("\r\u{1B}[K") }
    }

    private func show(_ text: String) {
        guard isTerminal, text != shown else { return }
        shown = text
        write("\r\(label) \(text)")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
