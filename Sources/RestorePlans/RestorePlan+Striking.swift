public import BrowserSessions

extension RestorePlan {
    /// Strikes out a line, with the lines that need it, and plain groups, splits and sessions that would
    /// come back with nothing in them. Does nothing if there is no such line.
    public mutating func strike(_ id: Line.ID) { strike([id]) }

    /// Strikes out several lines, each as by itself.
    public mutating func strike(_ ids: some Sequence<Line.ID>) {
        let numbers = lineNumbers
        var dependents: [Line.ID: [Int]] = [:]
        for (number, line) in lines.enumerated() {
            for required in line.requires { dependents[required, default: []].append(number) }
        }
        var waiting = ids.compactMap { numbers[$0] }
        while let number = waiting.popLast() {
            guard !lines[number].isStruck else { continue }
            lines[number].isStruck = true
            waiting += dependents[lines[number].id] ?? []
            // What the line needed may have nothing else in it.
            for required in lines[number].requires {
                guard let holder = numbers[required], lines[holder].isOnlyForItsContent,
                    dependents[required]?.allSatisfy({ lines[$0].isStruck }) == true
                else { continue }
                waiting.append(holder)
            }
        }
    }

    /// Takes back that a line was struck out, with the lines that it needs.
    public mutating func unstrike(_ id: Line.ID) {
        let numbers = lineNumbers
        var waiting = [id]
        while let next = waiting.popLast() {
            guard let number = numbers[next], lines[number].isStruck else { continue }
            lines[number].isStruck = false
            waiting += lines[number].requires
        }
    }

    private var lineNumbers: [Line.ID: Int] {
        Dictionary(
            lines.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Limiting

    /// Returns the plan with only what concerns these sessions, and what that needs.
    public func limited(to sessions: Set<SessionID>) -> RestorePlan {
        var plan = limited { line in
            [line.now, line.then].contains { $0.map { sessions.contains($0.session) } ?? false }
        }
        plan.places = places.filter { sessions.contains($0.session) }
        return plan
    }

    /// Returns the plan with only the tabs that a person's words find, and what these need; see
    /// ``TabSearch``.
    public func limited(toWords words: String) -> RestorePlan {
        let search = TabSearch(words)
        var plan = limited { line in
            [line.now, line.then].contains { $0?.tab.map(search.finds) ?? false }
        }
        plan.places = []
        return plan
    }

    private func limited(_ isWanted: (Line) -> Bool) -> RestorePlan {
        let numbers = lineNumbers
        var kept: Set<Line.ID> = []
        var waiting = lines.filter { isWanted($0) && $0.action != .remove }.map(\.id)
        waiting += removals(isWanted)
        while let id = waiting.popLast() {
            guard kept.insert(id).inserted, let number = numbers[id] else { continue }
            waiting += lines[number].requires
        }
        var plan = self
        plan.lines = lines.filter { kept.contains($0.id) }
        return plan
    }

    /// Returns the removals that are wanted with everything that they need: nothing is removed because
    /// something else needs to be.
    private func removals(_ isWanted: (Line) -> Bool) -> [Line.ID] {
        let wanted = Set(lines.filter(isWanted).map(\.id))
        return lines.filter {
            $0.action == .remove && wanted.contains($0.id)
                && $0.requires.allSatisfy(wanted.contains)
        }.map(\.id)
    }
}

extension RestorePlan.Line {
    /// Whether the line brings back something that is nothing without what is in it.
    fileprivate var isOnlyForItsContent: Bool {
        guard action == .add || action == .moveBack else { return false }
        return then?.isOnlyForItsContent ?? false
    }
}
