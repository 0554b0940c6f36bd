import BrowserSessions
public import Foundation

extension CanonicalJSON {
    /// Returns a sink that appends to an open file. If a write fails, the sink throws a
    /// `StorageError` with the code `failed`, or `outOfSpace` if the disk is full.
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
