import BrowserSessions
import CommandLineSupport
import Foundation
import LocalFiles
import SessionInterop
import StorageEngines

/// The target of an export: a new file, a new folder, or standard output.
final class ExportTarget {
    private enum Place {
        /// Standard output, for JSON or for a list that people read.
        case output(isJSON: Bool)
        case file(NewFile)
        case folder(NewFolder)
    }

    private let place: Place

    /// Makes the target. A file in a named folder gets the usual name.
    init(_ path: String, _ format: ExportFormat?) throws(StorageError) {
        guard path != "-" else {
            place = .output(isJSON: format == nil)
            return
        }
        guard let format, format.fileName == nil else {
            let name = format?.fileName ?? "sessions.json"
            let isFolder = try FileSystem.status(path)?.kind == .directory
            place = .file(try NewFile(isFolder ? "\(path)/\(name)" : path))
            return
        }
        place = .folder(try NewFolder(path))
    }

    /// The path; `nil` for standard output.
    var path: String? {
        switch place {
        case .output: nil
        case .file(let file): file.path
        case .folder(let folder): folder.path
        }
    }

    var bytes: Int {
        switch place {
        case .output: 0
        case .file(let file): file.bytes
        case .folder(let folder): folder.bytes
        }
    }

    func write(_ file: ExportedFile) throws(StorageError) {
        if case .folder(let folder) = place {
            try folder.write(file.bytes, to: file.path)
        } else {
            try sink(file.bytes)
        }
    }

    /// The function that receives the bytes of a single file.
    var sink: CanonicalJSON.Sink {
        { [place] bytes throws(StorageError) in
            switch place {
            case .output(let isJSON):
                try Console.export(bytes) { isJSON ? $0.visibleJSON : $0.visibleLines }
            case .file(let file): try file.write(bytes)
            case .folder: break
            }
        }
    }

    func finish() throws(StorageError) {
        switch place {
        case .output: break
        case .file(let file): try file.finish()
        case .folder(let folder): try folder.finish()
        }
    }
}

/// The printed result of an export.
struct ExportAnswer: Encodable {
    struct Counts: Encodable {
        var windows: Int
        var tabs: Int
        var historyEntries: Int
        var closedWindows: Int
        var closedTabs: Int
    }

    var path: String
    var bytes: Int
    var format: String?
    var written: Counts?
    /// What the format cannot hold, by part.
    var notHeld: [String: Int]?
    private var lossLines: [String]

    private enum CodingKeys: CodingKey { case path, bytes, format, written, notHeld }

    init(path: String, bytes: Int, format: ExportFormat?, _ export: SessionExport?) {
        self.path = path
        self.bytes = bytes
        self.format = format?.rawValue
        written = (export?.counts).map {
            Counts(
                windows: $0.windows, tabs: $0.tabs, historyEntries: $0.entries,
                closedWindows: $0.closedWindows, closedTabs: $0.closedTabs)
        }
        notHeld = (export?.losses).map { losses in
            Dictionary(uniqueKeysWithValues: losses.map { ($0.key.rawValue, $0.value) })
        }
        lossLines = export?.lossLines ?? []
    }

    var lines: [String] {
        var lines = ["\(counted(bytes, "byte")) written to \(path)"]
        if let written {
            lines.append(
                "\(counted(written.windows, "window")) with \(counted(written.tabs, "tab")) and "
                    + counted(written.historyEntries, "history entry", "history entries")
                    + (written.closedWindows > 0
                        ? ", \(counted(written.closedWindows, "closed window"))" : "")
                    + (written.closedTabs > 0
                        ? ", \(counted(written.closedTabs, "closed tab"))" : ""))
        }
        if !lossLines.isEmpty {
            lines.append(
                "not held by \(format ?? "this format"): " + lossLines.joined(separator: ", "))
        }
        return lines
    }
}
