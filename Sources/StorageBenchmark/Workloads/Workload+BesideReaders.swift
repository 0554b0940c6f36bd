import BrowserSessions
import SessionSamples

extension Workload {
    static let saveBesideReaders = Workload(
        "save-beside-readers", floor: .without, isSaving: false, takesState: true, use: .onRequest,
        comparesTails: true,
        summary: "One tab is saved while another process opens one reader after another."
    ) { scene, job async throws(StorageError) in
        guard scene.store.traits.opensReaders else {
            throw StorageError(.unsupported, "it opens no readers")
        }
        return BesideReadersRun(
            try await ExtraStore(scene, at: Scene.beside, stateBytes: job.stateBytes))
    }
}

/// A run that saves one tab after another: first without readers, then beside them, then without
/// them again.
///
/// The saves with and without readers do not take turns, because each reader takes as long as many
/// saves.
final class BesideReadersRun: WorkloadRun {
    private let extra: ExtraStore
    private var changes = SessionChanges()
    /// The number of readers that are opened at least, however few saves are asked for.
    private static let leastReaders = 3

    init(_ extra: ExtraStore) { self.extra = extra }

    func prepare() async throws(StorageError) -> Int {
        let index = extra.scene.sampler.generator.integer(in: 0...extra.window.tabs.count - 1)
        extra.scene.sampler.mutate(&extra.window.tabs[index])
        changes = SessionChanges()
        changes.put(extra.window.tabs[index], in: extra.window.id)
        return changes.logicalBytes
    }

    func operate() async throws(StorageError) {
        try await extra.store.save(changes, extra.scene.store.traits.greatestDurability)
    }

    /// Measures as many saves with readers as without. Another process opens readers until enough
    /// saves were made.
    func measure(_ order: JobOrder, _ reply: inout JobAnswer) async throws(StorageError) {
        let end = ContinuousClock.now + .milliseconds(order.milliseconds)
        for number in 0..<max(1, order.samples) {
            if number >= JobWorker.leastSamples, ContinuousClock.now > end { break }
            reply.floor.append(try await time())
        }
        let before = reply.floor.count
        let companion = try await extra.companion(.readers)
        var readers: [Int] = []
        // waits: each turn is a save
        repeat {
            reply.operation.append(try await time())
            readers = try companion.numbers()
        } while reply.operation.count < before || readers.count <= Self.leastReaders
        try companion.end()
        while reply.floor.count < reply.operation.count { reply.floor.append(try await time()) }
        reply.remark = "\(counted(readers.count, "reader")) in a round."
        if zip(readers, readers.dropFirst()).contains(where: { $0 > $1 }) {
            reply.wrong = "a reader showed an older state than the one before"
        }
    }

    private func time() async throws(StorageError) -> Int {
        _ = try await prepare()
        let start = ContinuousClock.now
        try await operate()
        return (ContinuousClock.now - start).nanoseconds
    }

    func check() async throws(StorageError) -> String? { nil }

    func finish() async throws(StorageError) {
        try await extra.close()
        try extra.open()
        if let difference = try await extra.difference(in: extra.store) {
            throw WrongAnswer.error("after saving beside readers, \(difference)")
        }
        try await extra.remove()
    }
}
