import BrowserSessions
import Foundation
import SessionSamples

/// A run of a long operation: many saves, and a comparison of the result with a fresh store.
struct EnduranceRun {
    let endurance: Endurance
    let scene: Scene
    let run: SavingRun
    /// The number of saves.
    let saves: Int

    /// The number of times that both stores are opened and restored.
    private static let pairs = 15

    func measure(_ reply: inout JobAnswer) async throws(StorageError) {
        var figures = EnduranceFigures()
        let written = Resources.bytesWritten()
        var isAfterRest = false
        for number in 1...max(saves, 1) {
            let isDurable = number.isMultiple(of: endurance.durableEvery)
            run.durability = isDurable ? .powerLoss : .processCrash
            _ = try await run.prepare()
            let start = ContinuousClock.now
            try await run.operate()
            let time = (ContinuousClock.now - start).nanoseconds
            if isDurable { figures.durable.append(time) } else { reply.operation.append(time) }
            if isAfterRest, !isDurable { figures.afterRest.append(time) }
            isAfterRest = false
            guard number.isMultiple(of: endurance.burst) else { continue }
            figures.mostDiskBytes = max(
                figures.mostDiskBytes, Resources.diskBytes(of: scene.location))
            let rest = scene.sampler.generator.integer(in: endurance.rest)
            guard rest > 0 else { continue }
            // waits: the saves after a rest must meet the maintenance of the store
            usleep(UInt32(rest * 1000))
            isAfterRest = true
        }
        try await scene.close()
        reply.bytes = [(Resources.bytesWritten() - written) / max(saves, 1)]
        figures.diskBytes = Resources.diskBytes(of: scene.location)
        figures.mostDiskBytes = max(figures.mostDiskBytes, figures.diskBytes)
        let fresh = scene.location + Scene.fresh
        try await scene.saveAnew(fresh)
        figures.freshDiskBytes = Resources.diskBytes(of: fresh)
        reply.wrong = try await compare(with: fresh, &figures)
        reply.endurance = figures
        try scene.open()
    }

    /// Opens both stores in turn and restores the window. Returns what was wrong; otherwise, `nil`.
    private func compare(
        with fresh: String, _ figures: inout EnduranceFigures
    ) async throws(StorageError) -> String? {
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
                if let difference = scene.window.difference(from: restored) { return difference }
            }
            guard let used = times[scene.location], let new = times[fresh] else { continue }
            figures.openRatios.append(Double(used.open) / Double(max(new.open, 1)))
            figures.restoreRatios.append(Double(used.restore) / Double(max(new.restore, 1)))
        }
        return nil
    }
}

/// The figures of a long operation.
struct EnduranceFigures: Codable, Hashable, Sendable {
    /// The times of saves that had to reach the medium, in nanoseconds.
    var durable: [Int] = []
    /// The times of first saves after a rest, in nanoseconds. They are among the other times, too.
    var afterRest: [Int] = []
    /// The bytes of all files when the store was closed, and the most bytes seen before.
    var diskBytes = 0
    var mostDiskBytes = 0
    /// The bytes of a fresh store with the same content.
    var freshDiskBytes = 0
    /// The ratios of used to fresh store, for each pair.
    var openRatios: [Double] = []
    var restoreRatios: [Double] = []
}
