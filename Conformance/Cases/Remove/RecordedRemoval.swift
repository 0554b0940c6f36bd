import BrowserSessions

extension Worker {
    /// Saves a set and removes the store, which counts as a second one.
    static let recordedRemoval = Worker(name: "remove.store") { order, harness in
        let configuration = StorageConfiguration(location: order.location)
        let sets = NumberedSets(stateBytes: 2000, wanders: true)
        try RecordedProcess.begin(order)
        let store = try await harness.open(configuration)
        _ = try await store.save(sets.changes(1), durability: .powerLoss)
        try await store.close()
        SaveNote.begun(2).tell()
        _ = try await harness.removeStore(configuration)
        SaveNote.acknowledged(2, isDurable: true).tell()
        ConformanceChild.report("done")
    }
}
