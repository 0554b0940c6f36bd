import BrowserSessions
import Expectations
import SessionInterop
import TestSupport

/// The text of a copy of sessions.
func canonicalJSON(_ sessions: [SessionSnapshot]) throws -> [UInt8] {
    var text: [UInt8] = []
    try CanonicalJSON.write(sessions) { text += $0 }
    return text
}

extension TabSnapshot {
    /// The saved history.
    func history() throws -> NavigationHistory {
        try NavigationHistory(encoded: try require(states[.navigation]))
    }
}

/// The error with which work is refused.
func refusal(
    file: String = #fileID, line: Int = #line, _ work: () throws -> Any
) throws -> StorageError {
    try require(expect(throws: StorageError.self, file: file, line: line) { try work() })
}

extension SessionSnapshot {
    /// A window with one tab. Both have the number.
    init(number: UInt64, url: String) {
        let tab = TabMetadata(
            id: TabID(high: 8, low: number), place: .between(nil, and: nil), url: url)
        self.init(
            id: SessionID(window: WindowID(high: 7, low: number)),
            tabs: [TabSnapshot(metadata: tab)])
    }
}

extension SessionExport {
    /// What an import reads of the files.
    func imported() throws -> SessionImport {
        let folder = TemporaryFolder()
        for file in files {
            try folder.write(file.bytes, to: file.path.isEmpty ? "session.bin" : file.path)
        }
        return try SessionImporter().read(path: folder.path)
    }
}

extension ImportLimits {
    /// The default limits but for one.
    static func with(_ limit: WritableKeyPath<ImportLimits, Int>, _ value: Int) -> ImportLimits {
        var limits = ImportLimits()
        limits[keyPath: limit] = value
        return limits
    }
}
