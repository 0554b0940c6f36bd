import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines

/// The course of a long operation: many saves on one store, as in days of use.
struct Endurance: Sendable {
    /// The number of saves, unless the user chooses another.
    let saves: Int
    /// The distance between saves that must reach the medium. They are not among the row's times.
    let durableEvery: Int
    /// The number of consecutive saves before a store may rest.
    let burst: Int
    /// The length of a rest in milliseconds. Stores do maintenance when no save has come for a
    /// while. Each length is random, so that some bursts begin during maintenance.
    let rest: ClosedRange<Int>
    /// The bytes of state in each save; 0 for metadata.
    let stateBytes: Int
}

/// Long operations, which end with a comparison of the store with a fresh one.
enum EnduranceRows {
    static let all = [
        row(
            "long-run",
            "100,000 saves of one tab's metadata, with rests; then the store is compared with a"
                + " fresh one.",
            Endurance(
                saves: 100_000, durableEvery: 500, burst: 500, rest: 0...300, stateBytes: 0)
        ) { scene, job in .savingOneTab(scene, job) },
        row(
            "rewrite-without-rest",
            "The state of one tab is saved 20,000 times, as fast as it goes: what maintenance"
                + " that waits for a rest leaves on the disk.",
            Endurance(
                saves: 20_000, durableEvery: 1000, burst: 100, rest: 0...0, stateBytes: 50 << 10)
        ) { scene, job in
            .saving(scene, job) { changes in
                scene.putBlob(
                    job.stateBytes, of: scene.window.tabs[scene.window.moverIndex], &changes)
            }
        },
    ]

    private static func row(
        _ name: String, _ summary: String, _ endurance: Endurance,
        _ saving: @escaping @Sendable (Scene, Job) -> Operation
    ) -> Workload {
        Workload(name: name, use: .onRequest, endurance: endurance, summary: summary) {
            scene, job in
            try scene.requireBackend()
            var durable = job
            durable.durability = .powerLoss
            let usual = saving(scene, job)
            let run = EnduranceRun(
                endurance: endurance, scene: scene, usual: usual, durable: saving(scene, durable))
            var operation = usual
            operation.measure = { order, reply in
                try await run.measure(order.longSamples ?? endurance.saves, &reply)
            }
            return operation
        }
    }
}

/// A run of a long operation: many saves, and a comparison of the result with a fresh store.
private struct EnduranceRun {
    let endurance: Endurance
    let scene: Scene
    /// The operation that saves.
    let usual: Operation
    /// The same for saves that must reach the medium.
    let durable: Operation

    /// The number of times that both stores are opened and restored.
    private static let pairs = 15

    func measure(_ saves: Int, _ reply: inout JobAnswer) async throws {
        var (durableTimes, afterRest): ([Int], [Int]) = ([], [])
        var mostBytes = 0
        var isAfterRest = false
        let written = Resources.bytesWritten()
        for number in 1...max(saves, 1) {
            if number.isMultiple(of: endurance.durableEvery) {
                durableTimes.append(try await durable.timed())
            } else {
                reply.operation.append(try await usual.timed())
                if isAfterRest { afterRest.append(reply.operation.last ?? 0) }
            }
            isAfterRest = false
            guard number.isMultiple(of: endurance.burst) else { continue }
            mostBytes = max(mostBytes, Resources.diskBytes(of: scene.location))
            let rest = scene.sampler.generator.integer(in: endurance.rest)
            guard rest > 0 else { continue }
            // waits: the saves after a rest must meet the maintenance of the store
            usleep(UInt32(rest * 1000))
            isAfterRest = true
        }
        try await scene.close()
        reply.bytes = [(Resources.bytesWritten() - written) / max(saves, 1)]
        let special = [
            ("those first after a rest", afterRest), ("those that reach the medium", durableTimes),
        ].filter { !$0.1.isEmpty }.map { name, times in "\(name): \(Self.words(times))" }
        reply.remark =
            (["\(Figures.whole(saves)) saves, \(Self.words(reply.operation))"] + special)
            .joined(separator: "; ") + ". " + (try await compared(mostBytes))
        try scene.open()
    }

    private static func words(_ times: [Int]) -> String {
        let times = BenchResult.Percentiles(nanoseconds: times)
        return "p50 \(Figures.time(times.p50)), p99 \(Figures.time(times.p99))"
    }

    /// Returns a sentence that compares the store with a fresh one with the same content.
    private func compared(_ mostBytes: Int) async throws -> String {
        var state = SessionChanges()
        for (key, blob) in scene.blobs { state.put(blob, for: key) }
        let windows = [scene.window, scene.second]
        let fresh = try await ExtraStore(
            scene, windows, content: windows.map(\.changes) + (scene.blobs.isEmpty ? [] : [state]))
        try await fresh.close()
        let used = Resources.diskBytes(of: scene.location)
        let bytes = Double(max(Resources.diskBytes(of: fresh.location), 1))
        let (opening, restoring) = try await timeRatios(fresh.location)
        try await fresh.remove()
        let most = max(mostBytes, used)
        return "Then the store has \(Figures.bytes(used)), \(Figures.digits(Double(used) / bytes))"
            + " times a fresh one with the same content, on the way at most \(Figures.bytes(most)),"
            + " \(Figures.digits(Double(most) / bytes)) times; it opens in \(Figures.digits(opening))"
            + " and restores in \(Figures.digits(restoring)) times the time of the fresh one."
    }

    /// Opens both stores in turn and restores the window. Returns the medians of used to fresh.
    private func timeRatios(
        _ fresh: String
    ) async throws -> (opening: Double, restoring: Double) {
        var (openings, restorings): ([Double], [Double]) = ([], [])
        for turn in 0..<Self.pairs {
            var times: [String: (open: Int, restore: Int)] = [:]
            let order = [scene.location, fresh]
            for location in turn.isMultiple(of: 2) ? order : order.reversed() {
                let start = ContinuousClock.now
                let store = try scene.store(at: location)
                let middle = ContinuousClock.now
                let restored = try await store.restore(scene.window.id)
                let end = ContinuousClock.now
                try await store.close()
                times[location] = ((middle - start).nanoseconds, (end - middle).nanoseconds)
                try scene.window.check(restored)
            }
            guard let used = times[scene.location], let new = times[fresh] else { continue }
            openings.append(Double(used.open) / Double(max(new.open, 1)))
            restorings.append(Double(used.restore) / Double(max(new.restore, 1)))
        }
        return (Median.of(openings), Median.of(restorings))
    }
}
