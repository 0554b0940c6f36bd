import BrowserSessions

/// What a reader made of one source.
struct SourceReading {
    var drafts: [SessionDraft] = []
    var log: ProblemLog
    /// Counts that do not follow from the drafts.
    var counts = ImportCounts()

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
