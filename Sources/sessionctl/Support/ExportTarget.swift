import BrowserSessions
import CommandLineSupport
import Foundation
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

    /// The path, and the number of bytes there so far; `nil` for standard output.
    var written: (path: String, bytes: Int)? {
        switch place {
        case .output: nil
        case .file(let file): (file.path, file.bytes)
        case .folder(let folder): (folder.path, folder.bytes)
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
