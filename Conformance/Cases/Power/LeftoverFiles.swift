import BrowserSessions
import Foundation

/// Files that an interruption leaves behind forever.
enum LeftoverFiles {
    /// Kills processes and cuts off the next ones; after one more opening, nothing is left of that.
    @Sendable static func cuts(_ context: CaseContext) async throws {
        var lab = try await PowerLab(context, .ordered)
        let known = try await kindsOfOrderlyLives(&lab)
        for round in 1...context.amount(2, full: 8, long: 30) {
            lab.begin(round)
            var life = RecordedLife(sets: 9, levels: [.powerLoss], closes: false)
            life.fault = InjectedFault(
                calls: .changes, at: lab.anyNumber(upTo: 80), effect: .killWithin)
            guard let killed = try await lab.record(life) else { continue }
            let next = RecordedLife(sets: 3, levels: [.powerLoss])
            guard let recording = try await lab.record(next, after: .recording(killed)) else {
                continue
            }
            let (context, location) = (context, lab.location)
            try await lab.cut(recording, most: context.amount(10, full: 100, long: 200)) { _ in
                try await requireSuccess("the store cannot be opened") {
                    try await context.open(location).close()
                }
                let files = try LocationFiles(location).files
                if let file = files.first(where: { !known.contains(kind(of: $0)) }) {
                    throw Violation(
                        "a cut leaves the file '\(file)', which no store has that was closed")
                }
            }
        }
        try lab.conclude()
    }

    /// Returns the kinds of files in a closed store after lives in which nothing happened.
    private static func kindsOfOrderlyLives(_ lab: inout PowerLab) async throws -> Set<String> {
        var kinds: Set<String> = []
        var last: PowerLab.Recording?
        lab.begin(0, stateBytes: 20_000)
        for _ in 1...4 {
            let beginning = last.map { PowerLab.Beginning.recording($0) } ?? .nothing
            let life = RecordedLife(sets: 20, levels: [.powerLoss])
            guard let recording = try await lab.record(life, after: beginning) else { continue }
            kinds.formUnion(try LocationFiles(lab.location).files.map(kind))
            last = recording
        }
        return kinds
    }

    /// Returns a path in which all numbers are the same.
    private static func kind(of path: String) -> String {
        path.replacing(/[0-9]+/, with: "0")
    }
}
