import BrowserSessions
import LocalFiles
import StorageEngines

extension Workload {
    static let openReader = Workload(
        "open-reader", floor: .copy, isSaving: false, takesState: true, use: .onRequest,
        mostPerRound: 5,
        summary: "A store with a state for each tab is opened for reading beside its owner."
    ) { scene, job async throws(StorageError) in
        try await begun(OpenReaderRun(try await scene.storeBesideOwner(job)))
    }

    static let backUp = Workload(
        "back-up", floor: .copy, isSaving: false, takesState: true, use: .onRequest,
        mostPerRound: 5,
        summary: "A store with a state for each tab is backed up beside its owner."
    ) { scene, job async throws(StorageError) in
        try await begun(BackUpRun(try await scene.storeBesideOwner(job)))
    }
}

extension Scene {
    /// Makes a store with a state for each tab. Throws `unsupported` if no reader can be opened beside the owner
    /// of files.
    fileprivate func storeBesideOwner(_ job: Job) async throws(StorageError) -> ExtraStore {
        try requireFiles()
        guard store.traits.opensReaders else {
            throw StorageError(.unsupported, "it opens no readers")
        }
        return try await ExtraStore(self, at: Self.beside, stateBytes: job.stateBytes)
    }
}

private func begun(_ run: BesideOwnerRun) async throws(StorageError) -> BesideOwnerRun {
    try await run.start()
    return run
}

/// A run beside another process that has the store open.
class BesideOwnerRun: WorkloadRun {
    let extra: ExtraStore
    private var owner: Companion?
    /// A path beside the store for the copy that the floor makes.
    private var copy: String { extra.location + "-copy" }
    /// Whether the floor syncs its copy.
    var copiesDurably: Bool { false }

    init(_ extra: ExtraStore) { self.extra = extra }

    func start() async throws(StorageError) {
        try await extra.close()
        owner = try await extra.companion(.owner)
    }

    func prepare() async throws(StorageError) -> Int {
        try FileSystem.remove(copy)
        return 0
    }

    func operate() async throws(StorageError) {}

    func operateFloor() async throws(StorageError) {
        let parent = try PosixDirectory(opening: FileSystem.parent(of: copy))
        let names = [extra.location, copy].map { PathText.names(of: $0).last ?? $0 }
        try parent.copy(names[0], to: names[1], in: parent, durably: copiesDurably)
        if copiesDurably { try parent.sync() }
    }

    func check() async throws(StorageError) -> String? { nil }

    func finish() async throws(StorageError) {
        _ = try await prepare()
        try owner?.end()
        owner = nil
        try await extra.remove()
    }
}

final class OpenReaderRun: BesideOwnerRun {
    private var reader: StoreReader?

    override func operate() async throws(StorageError) {
        reader = try extra.scene.contestant.openReader(extra.location)
    }

    override func check() async throws(StorageError) -> String? {
        guard let reader else { return "no reader was opened" }
        let difference = try await extra.difference(in: MeasuredStore(reader))
        try await reader.close()
        self.reader = nil
        return difference
    }
}

final class BackUpRun: BesideOwnerRun {
    private var made: StoreBackup?
    private var path: String { extra.location + "-backup" }
    override var copiesDurably: Bool { true }

    override func prepare() async throws(StorageError) -> Int {
        try FileSystem.remove(path)
        made = nil
        return try await super.prepare()
    }

    override func operate() async throws(StorageError) {
        made = try extra.scene.contestant.backUp(extra.location, to: path)
    }

    override func check() async throws(StorageError) -> String? {
        guard let made, try StoreBackup.found(at: path) == made else {
            return "no complete backup is there"
        }
        let store = try extra.scene.store(at: path)
        let difference = try await extra.difference(in: store)
        try await store.close()
        return difference
    }
}

extension ExtraStore {
    /// Starts a second process at the store, and waits until it is at work.
    func companion(_ role: CompanionOrder.Role) async throws(StorageError) -> Companion {
        let order = CompanionOrder(
            contestant: scene.contestant.name, location: location, role: role)
        let executable = scene.executable
        return try await BlockingWork.run { () throws(StorageError) in
            try Companion(order, executable: executable)
        }
    }
}
