import BrowserSessions
import ChildProcesses
import Foundation
import StorageEngines

/// Makes a process save the sets of an operation, and kills it.
struct KilledSaver: Sendable {
    let run: KilledRun
    /// The number of the operation in the seed's sequence, by which the process finds its sets.
    let number: Int
    let seed: UInt64

    /// Makes the process save, and kills it. Returns how many sets may be there: as many as were
    /// acknowledged, and one more if that was begun.
    func counts(in context: CaseContext, at location: String) async throws -> ClosedRange<Int> {
        let saves = run.saves.map { "\($0.number)" }.joined(separator: " ")
        var options = ["operation": "\(number)", "saves": saves]
        if case .resting(let count) = run.moment { options["rest"] = "\(count)" }
        let child = try context.startChild(
            Worker.modelSaver.name, at: location, seed: seed, options: options)
        var (begun, saved) = (0, 0)
        var isKilled = false
        while let line = await child.nextLine() {
            if line.hasPrefix("error ") { throw Violation("another process cannot save: \(line)") }
            if line == "begin \(begun + 1)" { begun += 1 }
            if line == "saved \(saved + 1)" { saved += 1 }
            guard !isKilled, line == moment || line == "resting" else { continue }
            isKilled = true
            spin()
            child.send(SIGKILL)
        }
        let end = await child.end()
        guard isKilled, end == .signal(SIGKILL) else {
            throw Violation("another process \(end) while it saved: \(child.errorTail)")
        }
        return saved...max(saved, begun)
    }

    private var moment: String {
        switch run.moment {
        case .resting: "resting"
        case .within(let number): "begin \(number)"
        }
    }

    /// Does some work, so that kills come at different moments of a save.
    private func spin() {
        guard case .within(let number) = run.moment else { return }
        let bytes = [UInt8](repeating: 7, count: 4096)
        var sum: UInt32 = 0
        for _ in 0..<(number * 3) { sum = CRC32C.checksum(bytes, continuing: sum) }
    }
}

extension Worker {
    static let model: [Worker] = [modelSaver]

    /// Saves the sets of one operation of a sequence, reports each step, and waits to be killed.
    static let modelSaver = Worker(name: "model-saver") { order, harness in
        let operations = ModelSequence(seed: order.seed).operations
        guard let number = order.options["operation"].flatMap({ Int($0) }),
            operations.indices.contains(number), case .kill(let run) = operations[number].kind
        else { throw HarnessFault("the sequence has no such operation") }
        let store = try await harness.open(
            StorageConfiguration(location: order.location, options: ModelSubject.options))
        let levels = store.traits.durability
        let rest = order.options["rest"].flatMap { Int($0) }
        let kept = order.options["saves", default: ""].split(separator: " ").map { Int($0) }
        let saves = run.saves.filter { kept.contains($0.number) }
        for (index, save) in saves.enumerated() {
            if index == rest { break }
            ConformanceChild.report("begin \(index + 1)")
            let level = levels.contains(save.durability) ? save.durability : .processCrash
            _ = try await store.save(save.changes, durability: level)
            ConformanceChild.report("saved \(index + 1)")
        }
        ConformanceChild.report("resting")
        // waits: a child lives until it is killed
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
