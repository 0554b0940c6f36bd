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

    /// Makes all sessions incognito. A session joins that of its window that already was.
    mutating func hide() {
        let all = drafts
        drafts = []
        for var draft in all {
            draft.id.kind = draft.id.kind.inIncognito
            let twin = drafts.firstIndex { $0.id == draft.id }
            if let twin, !draft.hasPlaces {
                drafts[twin].tabs += draft.tabs
                drafts[twin].nodes += draft.nodes
                drafts[twin].attributes.activeTab =
                    drafts[twin].attributes.activeTab ?? draft.attributes.activeTab
            } else {
                drafts.append(draft)
            }
        }
    }

    private let maximumTabs: Int
    private var tabsTaken = 0

    init(limits: ImportLimits) {
        log = ProblemLog(maximum: limits.maximumProblems)
        maximumTabs = limits.maximumTabs
    }

    /// Returns the number of the next tab, from 0; `nil` if the limits allow no more, which it
    /// reports once.
    mutating func nextTab(at location: String) -> Int? {
        defer { tabsTaken += 1 }
        if tabsTaken == maximumTabs {
            log.loss(at: location, "tabs beyond the limit of \(maximumTabs) are left out")
        }
        return tabsTaken < maximumTabs ? tabsTaken : nil
    }
}
