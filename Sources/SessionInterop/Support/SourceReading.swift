import BrowserSessions

/// What a reader made of one source.
struct SourceReading {
    var drafts: [SessionDraft] = []
    var log: ProblemLog
    /// Counts that do not follow from the drafts.
    var counts = ImportCounts()
    /// Whether the form of the file is sound, by which the browser tells a file that it would restore
    /// from one that it would not. Values inside may be wrong all the same.
    var isWhole = true
    /// When the browser wrote it, as far as the file says.
    var savedAt = Timestamp.unknown
    /// Which kind of log it is; `nil` for other formats.
    var logKind: SNSSKind?

    /// Open and closed ones.
    var tabCount: Int { drafts.reduce(0) { $0 + $1.tabs.count } }

    init(limits: ImportLimits) { log = ProblemLog(maximum: limits.maximumProblems) }

    /// Keeps the newest entries if a history has too many.
    static func bound(
        _ history: inout NavigationHistory, limits: ImportLimits, at location: String,
        log: inout ProblemLog
    ) {
        let excess = history.entries.count - limits.maximumEntriesPerTab
        guard excess > 0 else { return }
        history.entries.removeFirst(excess)
        history.currentIndex = history.currentIndex.map { max($0 - excess, 0) }
        log.loss(at: location, "\(excess) oldest history entries are over the limit")
    }

    /// Whether there is room for one more tab; reports it once when there is not.
    mutating func hasRoom(forTab count: Int, limits: ImportLimits, at location: String) -> Bool {
        if count == limits.maximumTabs {
            log.loss(at: location, "tabs beyond the limit of \(limits.maximumTabs) are left out")
        }
        return count < limits.maximumTabs
    }
}
