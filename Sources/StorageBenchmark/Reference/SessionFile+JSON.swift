import BrowserSessions
import Foundation

enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func decode(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { [UInt8]($0) }
    }
}

/// Flags for opening files.
enum Open {
    static let replacing = O_WRONLY | O_CREAT | O_TRUNC
}

extension SessionFile {
    init(json bytes: [UInt8]) throws(StorageError) {
        do {
            self = try JSONDecoder().decode(SessionFile.self, from: Data(bytes))
        } catch {
            throw StorageError(.corrupted, "a window in JSON is damaged", underlying: error)
        }
    }

    func json() throws(StorageError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(self))
        } catch {
            throw StorageError(.failed, "a window cannot be written as JSON", underlying: error)
        }
    }
}
