import BrowserSessions
public import Foundation

extension CanonicalJSON {
    /// A sink that appends to an open file; a failed write is a `StorageError` with
    /// the code `failed`, or `outOfSpace` when the disk is full.
    public static func sink(to file: FileHandle) -> Sink {
        { (bytes: [UInt8]) throws(StorageError) in
            do {
                try file.write(contentsOf: Data(bytes))
            } catch {
                let code = (error as? CocoaError)?.code
                throw StorageError(
                    code == .fileWriteOutOfSpace ? .outOfSpace : .failed,
                    "the export could not be written", operation: "export", underlying: error)
            }
        }
    }
}
