import BrowserSessions
import StorageEngines

/// Readers and backups beside the owner of a store with a state for each tab.
enum ReaderRows {
    static let all = [
        Workload(
            name: "open-reader", floor: .copy, isSaving: false, takesState: true, use: .onRequest,
            mostPerRound: 5,
            summary: "A store with a state for each tab is opened for reading beside its owner."
        ) { scene, job in
            let extra = try await ownedStore(scene, job)
            var reader: StoreReader?
            return copying(extra, durably: false) {
                reader = try scene.contestant.openReader(extra.location)
            } check: {
                guard let opened = reader else { throw WrongAnswer("no reader was opened") }
                try await extra.check(in: MeasuredStore(opened))
                try await opened.close()
                reader = nil
            }
        },
        Workload(
            name: "back-up", floor: .copy, isSaving: false, takesState: true, use: .onRequest,
            mostPerRound: 5,
            summary: "A store with a state for each tab is backed up beside its owner."
        ) { scene, job in
            let extra = try await ownedStore(scene, job)
            let path = extra.location + "-backup"
            var made: StoreBackup?
            return copying(extra, durably: true) {
                made = try scene.contestant.backUp(extra.location, to: path)
            } check: {
                let found = try StoreBackup.found(at: path)
                try WrongAnswer.unless(
                    found != nil && found == made, "no complete backup is there")
                let store = try scene.store(at: path)
                try await extra.check(in: store)
                try await store.close()
                try FileSystem.remove(path)
            }
        },
    ]

    /// Makes a store that is open, and not as it was closed.
    private static func ownedStore(_ scene: Scene, _ job: Job) async throws -> ExtraStore {
        try scene.requireFiles()
        try scene.require(scene.store.traits.opensReaders, "it opens no readers")
        let extra = try await ExtraStore(scene)
        try await extra.saveStates(job.stateBytes)
        try await extra.reopen()
        try await extra.saveStates(job.stateBytes, of: 100)
        return extra
    }

    /// Compares with a copy of the same files.
    private static func copying(
        _ extra: ExtraStore, durably: Bool, _ perform: @escaping () async throws -> Void,
        check: @escaping () async throws -> Void
    ) -> Operation {
        let copy = extra.location + "-copy"
        return Operation(
            prepare: { try FileSystem.remove(copy) },
            perform: perform,
            performFloor: {
                let parent = try PosixDirectory(opening: FileSystem.parent(of: copy))
                let names = [extra.location, copy].map { PathText.names(of: $0).last ?? $0 }
                try parent.copy(names[0], to: names[1], in: parent, durably: durably)
                if durably { try parent.sync() }
            },
            check: check,
            finish: {
                try FileSystem.remove(copy)
                try await extra.remove()
            })
    }
}
