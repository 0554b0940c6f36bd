import BrowserSessions

/// The failures to read during a search, in order. Each path occurs once.
struct ReadFailures {
    private(set) var list: [(path: String, error: StorageError)] = []
    private var paths: Set<[UInt8]> = []

    /// Returns the result of the work; `nil` if it fails. A failure is kept and stops nothing.
    mutating func attempt<Result>(
        _ path: String, _ work: () throws(StorageError) -> Result
    ) -> Result? {
        do throws(StorageError) {
            return try work()
        } catch {
            add(path, error)
            return nil
        }
    }

    mutating func add(_ path: String, _ error: StorageError) {
        if paths.insert(Array(path.utf8)).inserted { list.append((path, error)) }
    }

    mutating func folder(_ path: String) -> SourceFile.Folder? {
        attempt(path) { () throws(StorageError) in try SourceFile.folder(path) }
    }

    var untaken: [UntakenFile] {
        list.map { path, error in
            UntakenFile(path: path, format: nil, reason: .init(error), detail: error.message)
        }
    }
}

/// The numbers of skipped items. A folder may have any number of them.
struct PassedOver {
    var links = 0
    var names = 0
    var hidden = 0
    var tooDeep = 0
    var sources = 0
    var isOverFiles = false

    /// Whether a limit stopped the search before it found everything.
    var isCutShort: Bool { tooDeep > 0 || sources > 0 || isOverFiles }

    func notes(_ limits: ImportLimits) -> [String] {
        let counts = [
            ("symbolic links, which are not followed", links), ("names that are not UTF-8", names),
            ("hidden folders", hidden), ("folders that are too deep to be searched", tooDeep),
            ("files with sessions over the limit of \(limits.maximumSources)", sources),
        ]
        let notes = counts.filter { $0.1 > 0 }.map { "passed over: \($0.0): \($0.1)" }
        return isOverFiles
            ? notes + ["no more than \(limits.maximumFiles) files and folders were looked at"]
            : notes
    }
}
