package import BrowserSessions
import Foundation

/// Standard input as a file that can be read more than once. It has no name, so that nothing of it
/// is left however the process ends.
package final class SpooledInput {
    /// The path of the file, for as long as this object exists.
    package var path: String { "/dev/fd/\(file)" }
    private let file: Int32

    /// Reads standard input to its end, into a file among the system's temporary files.
    ///
    /// Throws `failed` if it cannot be read, or `outOfSpace` if there is too little space for it.
    package init() throws(StorageError) {
        var name = Array(
            (FileManager.default.temporaryDirectory.path + "/input-XXXXXX").utf8CString)
        file = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard file >= 0 else { throw Self.error("cannot be kept in a temporary file") }
        _ = name.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
        var part = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = part.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.error("cannot be read") }
            if count == 0 { break }
            try write(part[..<count])
        }
    }

    deinit { close(file) }

    private func write(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.error("cannot be kept in a temporary file") }
            rest = rest.dropFirst(count)
        }
    }

    private static func error(_ problem: String) -> StorageError {
        let number = errno
        return StorageError(
            number == ENOSPC ? .outOfSpace : .failed,
            "standard input \(problem): \(String(cString: strerror(number)))", operation: "read")
    }
}
