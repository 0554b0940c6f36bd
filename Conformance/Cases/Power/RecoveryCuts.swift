import BrowserSessions
import Foundation
import StorageEngines

/// A closed store is damaged, and the power is cut while the next process opens it.
enum RecoveryCuts {
    @Sendable static func cuts(_ context: CaseContext) async throws {
        try await PowerLab.play(context, .ordered, rounds: 3, full: 12, long: 40) { lab, round in
            let life = RecordedLife(sets: 12, levels: [.powerLoss])
            guard let recording = try await lab.record(life) else { return }
            let sound = recording.end.disk.image(after: .everything)
            guard let (image, what, saved) = try await damaged(sound, &lab) else { return }
            let beginning = PowerLab.Beginning.image(image, recording.end.progress)
            guard let opening = try await lab.record(Worker.recordedOpening, after: beginning)
            else {
                return
            }
            let (context, location) = (context, lab.location)
            try await lab.cut(opening, most: context.amount(10, full: 150, long: 400)) { _ in
                let found = try await Salvaged(context, location)
                let less = saved.items.subtracting(found.items).sorted()
                try require(
                    less.isEmpty,
                    """
                    \(what): recovery that was cut off saved \(less.count) of \(saved.items.count) things \
                    less, as \(less.first ?? "")
                    """)
                try require(
                    found.saysLoss, "\(what): nothing says any more that something was lost")
            }
        }
    }

    /// Returns a damaged image, and what comes back of it without a cut; `nil` if nothing is lost.
    private static func damaged(_ sound: DiskImage, _ lab: inout PowerLab) async throws
        -> (image: DiskImage, what: String, saved: Salvaged)?
    {
        for _ in 1...20 {
            var image = sound
            guard let what = lab.damage(&image) else { return nil }
            try lab.place(image)
            let saved = try await Salvaged(lab.context, lab.location)
            // Many places hold nothing, or a copy.
            if saved.saysLoss { return (image, what, saved) }
        }
        return nil
    }

    /// The numbered sets that a damaged store returns.
    private struct Salvaged {
        var items: Set<String> = []
        /// Whether it reports that something is missing.
        var saysLoss = false

        init(_ context: CaseContext, _ location: String) async throws {
            let store = try await context.open(location)
            do {
                try await read(store)
            } catch {
                try? await store.close()
                throw Violation("\(error)")
            }
            try await store.close()
        }

        private mutating func read(_ store: any SessionStorage) async throws {
            for session in NumberedSets.sessions {
                do throws(StorageError) {
                    guard let found = try await store.restore(session) else { continue }
                    items.insert("a session")
                    for tab in found.tabs { items.insert("tab \(tab.id) of set \(tab.title)") }
                } catch {
                    guard error.code == .corrupted else { throw error }
                    saysLoss = true
                }
            }
            if try await !store.check().isHealthy { saysLoss = true }
        }
    }
}

extension PowerLab {
    /// Flips a bit of one of the larger files of an image.
    ///
    /// - Returns: what was done; `nil` if there is no such file.
    fileprivate mutating func damage(_ image: inout DiskImage) -> String? {
        let places = image.files.indices.filter { image.files[$0].bytes.count > 512 }
        guard !places.isEmpty else { return nil }
        let place = places[anyNumber(upTo: places.count) - 1]
        let byte = anyNumber(upTo: image.files[place].bytes.count) - 1
        image.files[place].bytes[byte] ^= 4
        let name = image.files[place].path.drop { $0 != "/" }.dropFirst()
        return "byte \(byte) of '\(name)' damaged"
    }
}

extension Worker {
    /// Opens a store in any state, reads it, and closes it.
    static let recordedOpening = Worker(name: "power.opening") { order, harness in
        try RecordedProcess.begin(order)
        let store = try await harness.open(StorageConfiguration(location: order.location))
        _ = try? await store.restore(NumberedSets.sessions[0])
        try await store.close()
        ConformanceChild.report("done")
    }
}
