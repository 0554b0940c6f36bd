import BrowserSessions
import Foundation

/// Reads files of unknown origin: regular files only, never more than a limit.
enum SourceFile {
    enum Kind { case file, directory, other }

    /// What is at a path; `nil` if there is nothing.
    static func kind(of path: String) throws(StorageError) -> Kind? {
        do {
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let attributes = try FileManager.default.attributesOfItem(atPath: resolved)
            switch attributes[.type] as? FileAttributeType {
            case .typeRegular: return .file
            case .typeDirectory: return .directory
            default: return .other
            }
        } catch {
            let mapped = storageError(error, path)
            if mapped.code == .notFound { return nil }
            throw mapped
        }
    }

    /// The whole file; throws `tooLarge` if it has more bytes than allowed.
    static func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
        let bytes = try head(path, count: limit + 1)
        guard bytes.count <= limit else {
            throw failure(.tooLarge, "\(path) has more than \(limit) bytes")
        }
        return bytes
    }

    /// The first bytes of a file.
    static func head(_ path: String, count: Int) throws(StorageError) -> [UInt8] {
        switch try kind(of: path) {
        case .file: break
        case nil: throw failure(.notFound, "there is nothing at \(path)")
        default: throw failure(.unsupported, "\(path) is not a file")
        }
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            return [UInt8](try handle.read(upToCount: count) ?? Data())
        } catch {
            throw storageError(error, path)
        }
    }

    /// The names in a directory, ascending; hidden ones are left out.
    static func names(in path: String) throws(StorageError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw storageError(error, path)
        }
    }

    static func isDirectory(_ path: String) -> Bool { (try? kind(of: path)) == .directory }

    static func isFile(_ path: String) -> Bool { (try? kind(of: path)) == .file }

    static func failure(_ code: StorageError.Code, _ message: String) -> StorageError {
        StorageError(code, message, operation: "import")
    }

    private static func storageError(_ error: any Error, _ path: String) -> StorageError {
        let code: StorageError.Code
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: code = .notFound
        case .fileReadNoPermission: code = .permissionDenied
        default: code = posixCode(error)
        }
        let message =
            switch code {
            case .notFound: "there is nothing at \(path)"
            case .permissionDenied: "\(path) may not be read"
            default: "\(path) could not be read"
            }
        return StorageError(code, message, operation: "import", underlying: error)
    }

    private static func posixCode(_ error: any Error) -> StorageError.Code {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        switch (error as? POSIXError ?? underlying as? POSIXError)?.code {
        case .ENOENT, .ENOTDIR: return .notFound
        case .EACCES, .EPERM: return .permissionDenied
        default: return .failed
        }
    }
}

/// Joins a folder and a name.
func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

/// The last component of a path.
func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
}

/// The path of the folder that holds a path; `.` for a single component.
func parent(_ path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    while parts.last?.isEmpty == true { parts.removeLast() }
    if !parts.isEmpty { parts.removeLast() }
    let folder = parts.joined(separator: "/")
    return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
}
