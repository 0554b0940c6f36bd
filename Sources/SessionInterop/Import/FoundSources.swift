/// A place with sessions: one file or session directory, or several ones. A browser would restore
/// one of them, or one of each kind.
struct FoundSources {
    /// One of the files or directories.
    struct Source: Hashable {
        var path: String
        var format: SessionFormat
        var isIncognito = false
    }

    /// The sources that the browser would restore: the first valid one.
    var candidates: [Source]
    /// The sources that the browser would not search for, in no order.
    var others: [Source] = []
    /// The sources that are not taken, and the reasons.
    var passedOver: [(source: Source, reason: UntakenFile.Reason)] = []
    /// The profile that the place belongs to, if a browser has it open.
    var openProfile: String?
    /// The number of files that were examined and have no sessions.
    var otherFiles = 0

    var all: [Source] { candidates + others + passedOver.map(\.source) }

    var isEmpty: Bool { candidates.isEmpty && others.isEmpty && passedOver.isEmpty }

    mutating func keep(_ isWanted: (Source) -> Bool) {
        candidates = candidates.filter(isWanted)
        others = others.filter(isWanted)
        passedOver = passedOver.filter { isWanted($0.source) }
    }

    mutating func passAllOver(_ reason: UntakenFile.Reason) {
        passedOver = (candidates + others).map { ($0, reason) } + passedOver
        candidates = []
        others = []
    }
}
