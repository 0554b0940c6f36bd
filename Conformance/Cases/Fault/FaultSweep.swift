import BrowserSessions
import CDisk
import Foundation
import LocalFiles

/// Lets calls on the files of a store fail, one after the other: for each, a process makes a store,
/// opens it while the call fails, saves, closes it, and looks at what is there without any failure.
struct FaultSweep: Codable, Hashable, Sendable {
    var calls: Doom.Calls
    var fate: Doom.Fate
    var isForever = false
    /// How many sets lie there before anything fails.
    var prepared: Int
    /// How many sets are saved while something fails.
    var sets: Int
    /// Whether what was removed is erased before the last of them.
    var erases = false
    /// How many of the calls are tried, evenly among all that there are.
    var most: Int
}

extension FaultSweep {
    static let sets = NumberedSets(stateBytes: 2000, wanders: true)

    /// Counts the calls in a life without a failure, then fails each of those that are tried.
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

    /// One store, and how far it has come.
    private struct FaultLife {
        let harness: any StorageHarness
        let location: String
        var progress = SaveProgress()
        /// How many calls there were that may fail.
        var calls = 0
        /// What was read that was not so.
        var wrong: String?
        /// Sets of which it once said that they may be there.
        var uncertain: Set<Int> = []

        mutating func live(sweep: FaultSweep, at number: Int) async throws {
            try FileSystem.remove(location)
            if sweep.prepared > 0 {
                let store = try await open()
                for _ in 1...sweep.prepared { try await save(in: store) }
                try await store.close()
            }
            Doom(
                calls: sweep.calls, at: number, fate: sweep.fate, isForever: sweep.isForever
            ).begin()
            await failing(sets: sweep.sets, erasing: sweep.erases)
            calls = Doom.count
            Doom.end()
        }

        /// What a program does that goes on after errors.
        private mutating func failing(sets: Int, erasing: Bool) async {
            var store: (any SessionStorage)?
            for _ in 1...2 where store == nil { store = try? await open() }
            guard let store else { return }
            await look(into: store)
            for set in 1...sets {
                if erasing, set == sets { try? await store.eraseRemoved() }
                do {
                    try await save(in: store)
                } catch {
                    try? await save(in: store)
                }
            }
            await look(into: store)
            try? await store.close()
        }

        /// What a store gives back is whole; else it throws.
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

        /// Nothing fails any more.
        func judge() async throws {
            if let wrong { throw Violation(wrong) }
            try await SetsJudge(sets: FaultSweep.sets) { try await open() }.judge(progress)
        }
    }
}

extension FaultSweep {
    /// Runs the sweep in a process of its own; throws a ``Violation`` if anything was wrong.
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
