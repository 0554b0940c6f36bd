import BrowserSessions
import CommandLineSupport

/// A plan in lines for people.
struct PlanText {
    private let plan: RestorePlan

    init(_ plan: RestorePlan) { self.plan = plan }

    var lines: [String] {
        let missing = plan.unreadable.map {
            "session \($0) of the earlier state cannot be read as a whole"
        }
        if plan.activeLines.isEmpty { return missing + ["nothing to bring back"] }
        var table = TextTable([
            .init(isNumber: true), .init(), .init(), .init(least: 16), .init(least: 16),
        ])
        for line in plan.activeLines {
            table.add([
                "\(line.id)", line.action.sign, line.item.sort, Self.name(of: line),
                Self.place(of: line),
            ])
        }
        return missing + table.lines + [TextTable.cut(Self.summary(plan.summary, "would be"))]
    }

    private static func name(of line: RestorePlan.Line) -> String {
        if !line.title.isEmpty { return line.title }
        if case .session(let id) = line.item { return id.description }
        return "-"
    }

    private static func place(of line: RestorePlan.Line) -> String {
        if case .session(let id) = line.item { return line.title.isEmpty ? "" : id.description }
        switch line.action {
        case .add: return "into \(line.session)"
        case .remove: return "from \(line.session)"
        case .change: return "in \(line.session)"
        case .moveBack:
            let from = line.now.map(\.session)
            return from == line.session
                ? "in \(line.session)" : "from \(from?.description ?? "") to \(line.session)"
        }
    }

    /// Such as `3 tabs and 1 node would be brought back, 2 tabs moved back`.
    private static func summary(_ summary: RestorePlan.Summary, _ word: String) -> String {
        func amount(_ count: KeyPath<RestorePlan.Counts, Int>, _ action: String) -> String? {
            let parts = [
                (summary.sessions[keyPath: count], "session"),
                (summary.tabs[keyPath: count], "tab"),
                (summary.nodes[keyPath: count], "node"),
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

    /// Returns what became of a plan.
    ///
    /// - Parameter problem: why tabs came back without states.
    static func lines(_ result: RestorePlanResult, withoutStates problem: String) -> [String] {
        var lines = [summary(result.done, "were")]
        if result.tabsWithoutStates > 0 {
            lines.append(
                "\(counted(result.tabsWithoutStates, "tab")) came back without history: \(problem)"
            )
        }
        for skipped in result.skipped {
            lines.append(
                "not done: \(skipped.line.item.sort) \(name(of: skipped.line)): "
                    + "\(skipped.reason.words)")
        }
        if let point = result.restorePoint {
            lines.append("to undo it: sessionctl restore --replace --at \(point.id)")
        }
        return lines
    }
}

/// A plan, as printed.
struct ShownPlan: Encodable {
    var point: String?
    var takenAt: String?
    var mode: String
    var summary: RestorePlan.Summary
    var unreadable: [String]
    var lines: [Line]

    struct Line: Encodable {
        var line: Int
        var action: String
        var sort: String
        var id: String
        var title: String
        var url: String?
        var from: String?
        var session: String
        var requires: [Int]

        init(_ line: RestorePlan.Line) {
            self.line = line.id
            action = line.action.rawValue
            sort = line.item.sort
            id = line.item.name
            title = line.title
            url = (line.then ?? line.now)?.tab?.url
            from = line.action == .moveBack ? line.now?.session.description : nil
            session = line.session.description
            requires = line.requires
        }
    }

    init(_ plan: RestorePlan) {
        point = plan.point?.id.description
        takenAt = plan.point.flatMap { $0.takenAt.iso }
        mode = plan.mode.rawValue
        summary = plan.summary
        unreadable = plan.unreadable.map(\.description)
        lines = plan.activeLines.map(Line.init)
    }
}

/// What became of a plan, as printed.
struct ShownRestore: Encodable {
    var done: RestorePlan.Summary
    var states: Int
    var tabsWithoutStates: Int
    /// The restore point to which the store can go back.
    var restorePoint: String?
    var skipped: [Skipped]

    struct Skipped: Encodable {
        var line: Int
        var sort: String
        var id: String
        var reason: String
    }

    init(_ result: RestorePlanResult) {
        done = result.done
        states = result.states
        tabsWithoutStates = result.tabsWithoutStates
        restorePoint = result.restorePoint?.id.description
        skipped = result.skipped.map {
            Skipped(
                line: $0.line.id, sort: $0.line.item.sort, id: $0.line.item.name,
                reason: $0.reason.rawValue)
        }
    }
}
