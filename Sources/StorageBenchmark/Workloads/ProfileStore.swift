import BrowserSessions
import LocalFiles
import SessionSamples

/// A store in addition to the scene's, with the windows of a profile. Together, the windows have as
/// many tabs as the scene's window.
final class ProfileStore {
    let scene: Scene
    let windows: [SceneWindow]
    private(set) var store: MeasuredStore
    private(set) var recorder: CallRecorder
    private var host: ProfileHost?
    private let location: String

    /// - Parameters:
    ///   - snapshots: the windows, with their histories.
    ///   - suffix: what the store's location has behind that of the scene's.
    ///   - isFilled: whether the store already has the windows.
    init(
        _ scene: Scene, _ snapshots: [SessionSnapshot], at suffix: String = Scene.profile,
        isFilled: Bool = true
    ) async throws(StorageError) {
        try scene.requireBackend()
        self.scene = scene
        location = scene.location + suffix
        windows = snapshots.map { SceneWindow($0) }
        store = try scene.store(at: location)
        recorder = CallRecorder(store.storage)
        guard isFilled else { return }
        for snapshot in snapshots {
            try await store.save(SessionChanges(saving: snapshot), .processCrash)
        }
    }

    /// Returns the profile as in a process that has just started.
    func launch(_ opened: [SceneWindow] = []) async throws(StorageError) -> ProfileHost {
        try await quit()
        let host = try ProfileHost(recorder, opened: opened)
        self.host = host
        return host
    }

    func quit() async throws(StorageError) {
        try await host?.close()
        host = nil
        _ = recorder.takeCalls()
    }

    /// Replaces the store by an empty one.
    func renew() async throws(StorageError) {
        try await remove()
        store = try scene.store(at: location)
        recorder = CallRecorder(store.storage)
    }

    func remove() async throws(StorageError) {
        try await quit()
        try await store.close()
        try await scene.remove(location)
    }

    /// Returns how the windows in the store differ; `nil` if they do not.
    func difference() async throws(StorageError) -> String? {
        for window in windows {
            let found = try await store.restore(window.id)
            if let difference = window.difference(from: found) { return difference }
        }
        return nil
    }
}

extension Scene {
    /// Returns windows with histories that together have as many tabs as the job says.
    func profile(_ job: Job, windows most: Int = 10) -> [SessionSnapshot] {
        let count = min(most, max(1, job.tabs))
        return (0..<count).map { place in
            sampler.window(
                tabs: job.tabs / count + (place < job.tabs % count ? 1 : 0), state: .navigationOnly)
        }
    }
}

extension SessionSnapshot {
    /// Returns the same window in another form.
    func reformed<Answer>(_ change: (inout SceneWindow) -> Answer) -> (Self, Answer) {
        var (snapshot, window) = (self, SceneWindow(self))
        let answer = change(&window)
        for index in tabs.indices { snapshot.tabs[index].metadata = window.tabs[index] }
        snapshot.nodes = window.nodes
        return (snapshot, answer)
    }
}
