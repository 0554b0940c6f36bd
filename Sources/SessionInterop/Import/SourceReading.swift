import BrowserSessions

/// The result of reading one source.
struct SourceReading {
    var drafts: [SessionDraft] = []
    var log: ProblemLog
    /// The counts that do not follow from the drafts.
    var counts = ImportCounts()
    /// Whether the form of the file is intact. The browser restores only such files. Values inside
    /// may still be wrong.
    var isWhole = true
    /// Whether more may be missing than the problems name; see ``ImportedSource/mayLackMore``.
    var mayLackMore = false
    /// The time at which the browser wrote the file, according to the file.
    var savedAt = Timestamp.unknown
    /// The kind of file, in formats that have several; see ``SessionFormat/Trait/hasTwoKinds``.
    var kind: String?

    /// The number of open and closed tabs.
    var tabCount: Int { drafts.reduce(0) { $0 + $1.tabs.count } }

    /// Puts all sessions off the record.
    mutating func hide() {
        for index in drafts.indices { drafts[index].id.kind = drafts[index].id.kind.offTheRecord }
    }

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

    /// Returns whether the limits allow one more tab. If they do not, reports it once.
    mutating func hasRoom(forTab count: Int, limits: ImportLimits, at location: String) -> Bool {
        if count == limits.maximumTabs {
            log.loss(at: location, "tabs beyond the limit of \(limits.maximumTabs) are left out")
        }
        return count < limits.maximumTabs
    }
}
