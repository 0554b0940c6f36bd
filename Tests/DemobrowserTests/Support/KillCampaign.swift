import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines
import TestSupport

/// A browser over one profile that gets commands, is killed, and is started again, many times.
struct KillCampaign {
    let plan: KillPlan
    let backend: String

    /// One life of the browser, which ended by a kill.
    private struct Life {
        var run: TracedRun
        /// Which of the lines that tell of changes and saves it was killed at.
        var moment: Int
    }

    /// Throws a ``Failure`` for the first kill after which anything is wrong.
    func run() throws {
        let folder = TemporaryFolder()
        var random = SeededGenerator(seed: plan.seed)
        var lives: [Life] = []
        for _ in 0...plan.kills {
            let process = try BrowserProcess.traced(backend, folder)
            let life = live(process, &random)
            guard let restored = life.run.restored else {
                throw failure(lives, ["the browser did not start again: it \(process.ending)"])
            }
            let findings = try lives.last?.run.findings(in: restored) ?? []
            guard findings.isEmpty else { throw failure(lives, findings) }
            lives.append(life)
        }
        let saves = lives.reduce(0) { $0 + $1.run.saves.count }
        guard saves > plan.kills else {
            throw failure(lives, ["\(saves) saves are too few to say anything"])
        }
        let traces = try filesWithTracesOfIncognito(in: folder.file("profile/regular"))
        guard traces.isEmpty else {
            throw failure(lives, traces.map { "\($0) has traces of incognito tabs" })
        }
    }

    /// Gives it commands and kills it at some moment while it does them, or when all are done.
    private func live(_ process: BrowserProcess, _ random: inout SeededGenerator) -> Life {
        var commands = RandomCommands(seed: random.next())
        // The answer to the last one means that all were done.
        process.send(commands.next(100) + ["help"])
        let moment = random.integer(in: 1...60)
        var run = TracedRun()
        run.read(process) { $0.changes.count + $0.saves.count == moment || $0.isIdle }
        process.kill()
        run.read(process)
        return Life(run: run, moment: moment)
    }

    private func failure(_ lives: [Life], _ findings: [String]) -> Failure {
        // Before the first kill nothing can be lost but the start.
        let kill = max(1, lives.count)
        let killed = lives.last.map { last in
            "kill \(lives.count), at line \(last.moment) of its trace, after"
                + " \(last.run.changes.count) changes, \(last.run.acknowledged) of them acknowledged"
        }
        // On one line, because the end of a red log shows the first line only.
        return Failure(
            "\(backend), seed \(plan.seed), \(killed ?? "before the first kill"): "
                + findings.joined(separator: "; also ")
                + "; to repeat it, with the kill at the same line though not at the same"
                + " instruction: \(plan.command(for: kill, of: backend))")
    }

    /// The files of the regular partition with a trace of an incognito tab.
    private func filesWithTracesOfIncognito(in folder: String) throws -> [String] {
        try FileSystem.files(in: folder).filter {
            Data($0.value).range(of: Data("page/777".utf8)) != nil
        }
        .map(\.key)
    }
}
