/// A place with sessions: one file or session directory, or several of which a browser would restore
/// one, or one of each kind.
struct SourcePlace {
    /// One of them.
    struct Source: Hashable {
        var path: String
        var format: SessionFormat
        var isOffTheRecord = false
    }

    /// What the browser would restore, the first that is valid.
    var candidates: [Source]
    /// What it would not look for, in no order.
    var others: [Source] = []
    /// What is not taken in any case, and why.
    var passedOver: [(source: Source, reason: UntakenFile.Reason)] = []

    var all: [Source] { candidates + others + passedOver.map(\.source) }

    var isEmpty: Bool { candidates.isEmpty && others.isEmpty && passedOver.isEmpty }

    mutating func keep(_ isWanted: (Source) -> Bool) {
        candidates = candidates.filter(isWanted)
        others = others.filter(isWanted)
        passedOver = passedOver.filter { isWanted($0.source) }
    }

    mutating func passAllOver(_ reason: UntakenFile.Reason) {
        passedOver += (candidates + others).map { ($0, reason) }
        candidates = []
        others = []
    }
}
