import BrowserSessions
import CommandLineSupport
import RestorePlans

extension RestorePlan {
    /// Returns a plan to go back as lines for the user: what it says, and then what became of it.
    func words(after result: RestorePlanResult) -> [String] {
        var lines = unreadable.map { "not all of \($0) can be read" }
        lines += activeLines.map { "  \($0.action.sign) \(Self.text(of: $0))" }
        lines += result.skipped.map {
            "not done: \(Self.text(of: $0.line)) (\($0.reason.words))"
        }
        if result.tabsWithoutStates > 0 {
            lines.append(counted(result.tabsWithoutStates, "tab") + " came back without history")
        }
        let done = [result.done.sessions, result.done.tabs, result.done.nodes].map(\.total)
        let isUndoable = result.restorePoint != nil
        lines.append(
            done.allSatisfy { $0 == 0 }
                ? "nothing was changed" : isUndoable ? "done: 'undo-goback' undoes it" : "done")
        return lines
    }

    /// Such as `Page 7 <demo:page/7>`, `work (group)`, or `a window`.
    private static func text(of line: Line) -> String {
        let record = line.then ?? line.now
        if let tab = record?.tab { return "\(line.title) <\(tab.url)>" }
        if let node = record?.node { return "\(node.name) (\(node.kind.rawValue))" }
        if !line.title.isEmpty { return line.title }
        let kind = line.session.kind
        return kind == .regular ? "a window" : "a session (\(kind.rawValue))"
    }
}
