import BrowserSessions
import CDisk
import ChildProcesses
import Foundation
import StorageEngines

/// Makes calls on a store's files fail, one after the other. For each, a process makes a store,
/// opens it while the call fails, saves, closes it, and checks the content without failures.
struct FaultSweep: Codable, Hashable, Sendable {
    var calls: InjectedFault.Calls
    var effect: InjectedFault.Effect
    var isForever = false
    /// The number of sets saved before anything fails.
    var prepared: Int
    /// The number of sets saved while something fails.
    var sets: Int
    /// Whether removed content is erased before the last set.
    var erases = false
    /// The number of calls to try, spread evenly over all calls.
    var most: Int
}

extension FaultSweep {
    static let sets = NumberedSets(stateBytes: 2000, wanders: true)

    /// Counts the calls of a life without failures, then fails each call to try.
    fileprivate func run(at location: String, _ harness: any StorageHarness) async throws {
        try DiskTrace.begin(at: location, to: "/dev/null")
        var life = FaultLife(harness: harness, location: location)
        try await life.live(sweep: self, at: .max)
        let count = life.calls
        try await life.judge()
        let tries = min(count, most)
        var tried = 0
        for number in (0..<tries).map({ 1 + $0 * count / tries }) {
            ConformanceChild.report("trying call \(number) of \(count)")
            var life = FaultLife(harness: harness, location: location)
            tried += 1
            do {
                try await life.live(sweep: self, at: number)
                try await life.judge()
            } catch {
                let message = error as? Violation ?? Violation("\(error)")
                ConformanceChild.report(
                    "wrong call \(number) of \(count): \(ConformanceChild.oneLine("\(message)"))")
            }
        }
        ConformanceChild.report("tried \(tried) of \(count)")
    }

    /// One store and its progress.
    private struct FaultLife {
        let harness: any StorageHarness
        let location: String
        var progress = SaveProgress()
        /// The number of calls that may fail.
        var calls = 0
        /// Incorrect content that was read.
        var wrong: String?
        /// Sets that were once reported as possibly applied.
        var uncertain: Set<Int> = []

        mutating func live(sweep: FaultSweep, at number: Int) async throws {
            try FileSystem.remove(location)
            if sweep.prepared > 0 {
                let store = try await open()
                for _ in 1...sweep.prepared { try await save(in: store) }
                try await store.close()
            }
            InjectedFault(
                calls: sweep.calls, at: number, effect: sweep.effect, isForever: sweep.isForever
            ).begin()
            await failing(sets: sweep.sets, erasing: sweep.erases)
            calls = InjectedFault.count
            InjectedFault.end()
        }

        /// Does what a program does that continues after errors.
        private mutating func failing(sets: Int, erasing: Bool) async {
            var store: (any SessionStorage)?
            for _ in 1...2 where store == nil { store = try? await open() }
            guard let store else { return }
            await look(into: store)
            for set in 1...sets {
                if erasing, set == sets { _ = try? await store.erase(.removedData) }
                do {
                    try await save(in: store)
                } catch {
                    try? await save(in: store)
                }
            }
            await look(into: store)
            try? await store.close()
        }

        /// Checks that a store returns whole sets or throws.
        private mutating func look(into store: any SessionStorage) async {
            guard progress.acknowledged > 0 else { return }
            for session in NumberedSets.sessions {
                let found: RestoredSession?
                do {
                    found = try await store.restore(session)
                } catch {
                    continue
                }
                guard found?.provenance != .intact || found?.tabs.isEmpty == true else { continue }
                let state = found.map {
                    "not intact but \($0.provenance.rawValue), with \($0.tabs.count) tabs"
                }
                wrong = wrong ?? "while a call failed: a session is \(state ?? "not there")"
            }
        }

        private func open() async throws(StorageError) -> any SessionStorage {
            try await harness.open(StorageConfiguration(location: location))
        }

        private mutating func save(in store: any SessionStorage) async throws(StorageError) {
            let number = progress.acknowledged + 1
            progress.note(.begun(number))
            let durability: Durability = number.isMultiple(of: 2) ? .powerLoss : .processCrash
            do {
                _ = try await store.save(
                    FaultSweep.sets.changes(number),
                    durability: store.traits.durability.contains(durability)
                        ? durability : .processCrash)
            } catch {
                if error.effect != .notApplied { uncertain.insert(number) }
                if !uncertain.contains(number) { progress.noteRefusal() }
                throw error
            }
            progress.note(.acknowledged(number, isDurable: false))
        }

        /// Judges the store without failures.
        func judge() async throws {
            if let wrong { throw Violation(wrong) }
            try await SetsJudge(sets: FaultSweep.sets) { try await open() }.judge(progress)
        }
    }
}

extension FaultSweep {
    /// Runs the sweep in its own process; throws a ``Violation`` if anything was wrong.
    func run(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        let child = try context.startChild(
            Worker.faultSweep.name, at: location, options: ["sweep": text])
        let lines = await child.remainingLines()
        let end = await child.end()
        var wrong = WrongStates()
        for line in lines {
            if line.hasPrefix("error ") { throw Violation("the sweep of failing calls: \(line)") }
            guard line.hasPrefix("wrong ") else { continue }
            let parts = line.dropFirst("wrong ".count).split(separator: ": ", maxSplits: 1)
            wrong.note(String(parts.last ?? ""), "with a failure of \(parts.first ?? "")")
        }
        guard end == .exited(0), let last = lines.last, last.hasPrefix("tried ") else {
            throw Violation(
                "the process \(end) when it was \(lines.last ?? "there"): \(child.errorTail)")
        }
        let words = last.split(separator: " ")
        guard words.count == 4, let tried = Int(words[1]), tried > 0 else {
            throw NotTried("the store makes no such call that can be seen")
        }
        context.note("\(tried) of \(words[3]) calls failed, one after the other")
        try wrong.conclude(of: tried)
    }
}

extension Worker {
    static let fault: [Worker] = [faultSweep]

    static let faultSweep = Worker(name: "fault.sweep") { order, harness in
        guard let text = order.options["sweep"] else {
            throw HarnessFault("the order of fault.sweep is not whole")
        }
        let sweep = try JSONDecoder().decode(FaultSweep.self, from: Data(text.utf8))
        try await sweep.run(at: order.location, harness)
    }
}
