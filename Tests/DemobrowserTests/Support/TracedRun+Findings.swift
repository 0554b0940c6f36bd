@testable import demobrowser

extension TracedRun {
    /// Seconds between the first change and the save of all changes since.
    static let saveDelay = 0.05
    /// How old a change may become before it must be saved: the delay, and as much time as a busy
    /// machine may need. In microseconds.
    static let allowance = Int((saveDelay + 5) * 1_000_000)

    /// What is wrong with a state that came back after this run; `[]` if nothing is.
    func findings(in restored: String) throws -> [String] {
        guard let number = number(of: restored) else {
            return ["this never was: \(nearest(to: restored))"]
        }
        var findings: [String] = []
        if number < acknowledged {
            findings.append(
                "changes that the store has acknowledged are lost: change \(number) came back, not"
                    + " \(acknowledged); \(difference(from: acknowledged, to: restored))")
        }
        let old = lastChange(olderThan: Self.allowance)
        if number < old {
            findings.append(
                "changes that should have been saved by then are lost: change \(number) came back,"
                    + " not \(old); \(difference(from: old, to: restored))")
        }
        let tabs = try TraceState(restored).tabs
        let twice = Dictionary(grouping: tabs, by: \.id).filter { $1.count > 1 }.keys.sorted()
        if !twice.isEmpty { findings.append("tabs are there twice: \(twice)") }
        let secret = tabs.filter { tab in
            ([tab.url] + tab.history).contains { $0.contains("page/777") }
        }
        if !secret.isEmpty { findings.append("incognito tabs are among the others: \(secret)") }
        return findings
    }

    /// What a state that came back has and lacks, compared with the change that is most like it.
    private func nearest(to text: String) -> String {
        let numbers = [0] + changes.map(\.number)
        let all = numbers.map { (number: $0, lines: lines(from: $0, to: text)) }
        guard let best = all.min(by: { $0.lines.count < $1.lines.count }) else { return "" }
        return "change \(best.number) of \(changes.count), \(acknowledged) acknowledged: "
            + best.lines.joined(separator: "; ")
    }

    /// What a state that came back has and lacks, compared with that after a change.
    private func difference(from number: Int, to text: String) -> String {
        lines(from: number, to: text).joined(separator: "; ")
    }

    private func lines(from number: Int, to text: String) -> [String] {
        let before = changes.last { $0.number == number }?.state ?? restored ?? ""
        guard let old = try? TraceState(before), let new = try? TraceState(text) else {
            return ["one of both is no state: '\(before)', '\(text)'"]
        }
        return old.lines.difference(from: new.lines).map { change in
            switch change {
            case .insert(_, let line, _): "missing: \(line)"
            case .remove(_, let line, _): "too much: \(line)"
            }
        }
    }
}
