import BrowserSessions
import CommandLineSupport
import RestorePlans

extension RestorePlan {
    /// What would be brought back.
    var answer: Answer {
        var table = TextTable(
            [.init(isNumber: true), .init(), .init(), .init(least: 16), .init(least: 16)],
            ifEmpty: "nothing to bring back")
        for line in activeLines { table.add(line.row) }
        return Answer(
            [
                "point": (point?.id).map { "\($0)" }, "takenAt": point?.takenAt.iso,
                "mode": mode.rawValue, "summary": summary,
                "unreadable": unreadable.map(\.description), "lines": table.rows,
            ], rows: table.rows,
            unreadable.map { "session \($0) of the earlier state cannot be read as a whole" },
            table, table.rows.isEmpty ? nil : TextTable.cut(summary.text("would be")))
    }
}

extension RestorePlan.Line {
    fileprivate var row: TextTable.Row {
        TextTable.Row(
            [
                "line": id, "action": action.rawValue, "sort": item.sort, "id": item.name,
                "title": title, "url": (then ?? now)?.tab?.url,
                "from": action == .moveBack ? now?.session.description : nil,
                "session": "\(session)", "requires": requires,
            ] as Fields, ["\(id)", action.sign, item.sort, name, place])
    }

    fileprivate var name: String {
        if !title.isEmpty { return title }
        if case .session(let id) = item { return "\(id)" }
        return "-"
    }

    private var place: String {
        if case .session(let id) = item { return title.isEmpty ? "" : "\(id)" }
        switch action {
        case .add: return "into \(session)"
        case .remove: return "from \(session)"
        case .change: return "in \(session)"
        case .moveBack:
            let from = now?.session
            return from == session
                ? "in \(session)" : "from \(from?.description ?? "") to \(session)"
        }
    }
}

extension RestorePlan.Summary {
    /// Such as `3 tabs and 1 node would be brought back, 2 tabs moved back`.
    fileprivate func text(_ word: String) -> String {
        func amount(_ count: KeyPath<RestorePlan.Counts, Int>, _ action: String) -> String? {
            let parts = [
                (sessions[keyPath: count], "session"), (tabs[keyPath: count], "tab"),
                (nodes[keyPath: count], "node"),
            ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
            if parts.isEmpty { return nil }
            let isOne = parts.count == 1 && parts[0].hasPrefix("1 ")
            let verb = word == "were" && isOne ? "was" : word
            return "\(parts.joined(separator: ", ")) \(verb) \(action)"
        }
        let parts = [
            amount(\.added, "brought back"), amount(\.movedBack, "moved back"),
            amount(\.changed, "changed"), amount(\.removed, "removed"),
        ].compactMap(\.self)
        return parts.isEmpty ? "nothing was changed" : parts.joined(separator: "; ")
    }
}

extension RestorePlanResult {
    /// Returns what became of a plan.
    ///
    /// - Parameter problem: why tabs came back without states.
    func answer(withoutStates problem: String) -> Answer {
        let skips: [Fields] = skipped.map {
            [
                "line": $0.line.id, "sort": $0.line.item.sort, "id": $0.line.item.name,
                "reason": $0.reason.rawValue,
            ]
        }
        let point = restorePoint.map { "\($0.id)" }
        return Answer(
            [
                "done": done, "states": states, "tabsWithoutStates": tabsWithoutStates,
                "restorePoint": point, "skipped": skips,
            ], done.text("were"),
            tabsWithoutStates > 0
                ? "\(counted(tabsWithoutStates, "tab")) came back without history: \(problem)"
                : nil,
            skipped.map { "not done: \($0.line.item.sort) \($0.line.name): \($0.reason.words)" },
            point.map { "to undo it: sessionctl restore --replace --at \($0)" })
    }
}
