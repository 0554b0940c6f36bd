package import BrowserSessions
import RestorePlans

extension [RestorePoint] {
    /// Returns the point that a user names by its number or its name, of several with that name the newest;
    /// `nil` if there is none. Expects the newest first.
    package func named(_ text: String) -> RestorePoint? {
        let number = UInt64(text)
        return first { $0.id.rawValue == number } ?? first { !$0.name.isEmpty && $0.name == text }
    }
}

extension RestorePoint {
    /// Returns when it was taken and why, such as `today 14:00 · 212 tabs · before 180 tabs went at once`.
    package func text(_ times: TimeWords = TimeWords()) -> String {
        var words = [times.words(takenAt), counted(tabCount, "tab")]
        switch reason {
        case .opening: words.append("as the store was opened")
        case .beforeLoss, .interval, .named: break
        default: words.append(reason.rawValue)
        }
        if isBeforeLoss { words.append("before \(counted(lostTabCount, "tab")) went at once") }
        if !name.isEmpty { words.append("'\(name)'") }
        if isPinned { words.append("pinned") }
        return words.joined(separator: " · ")
    }
}

extension RestorePlan.Action {
    /// The sign before a line of a plan.
    package var sign: String {
        switch self {
        case .add: "+"
        case .moveBack: ">"
        case .change: "~"
        case .remove: "-"
        }
    }
}

extension RestorePlanResult.Reason {
    /// Why a line of a plan was not done.
    package var words: String {
        switch self {
        case .alreadySo: "it is so already"
        case .changedSince: "it changed since"
        case .notEmpty: "something is in it"
        case .gone: "it is gone"
        case .outOfSight: "it is not open"
        case .cleared: "data was cleared meanwhile"
        }
    }
}
