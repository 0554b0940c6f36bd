import BrowserSessions
import SessionSamples

/// A browser's profile over a store in addition to the scene's. Together, its windows have as many tabs as
/// the scene's window.
final class Profile {
    let windows: [SceneWindow]
    let extra: ExtraStore
    private(set) var recorder: CallRecorder
    private(set) var host: ProfileHost?

    /// - Parameters:
    ///   - snapshots: the windows, with their histories.
    ///   - isFilled: whether the store already has the windows.
    init(
        _ scene: Scene, _ snapshots: [SessionSnapshot], isFilled: Bool = true
    ) async throws {
        windows = snapshots.map { SceneWindow($0) }
        let content = isFilled ? snapshots.map { SessionChanges(saving: $0) } : []
        extra = try await ExtraStore(scene, windows, content: content)
        recorder = CallRecorder(try extra.store.storage)
    }

    var store: MeasuredStore { get throws { try extra.store } }

    /// Starts the profile as in a process that has just started.
    func launch(_ opened: [SceneWindow] = []) async throws {
        try await quit()
        host = try ProfileHost(recorder, opened: opened)
    }

    private func quit() async throws {
        try await host?.close()
        host = nil
        _ = recorder.takeCalls()
    }

    /// Replaces the store by an empty one.
    func renew() async throws {
        try await remove()
        try extra.open()
        recorder = CallRecorder(try extra.store.storage)
    }

    func remove() async throws {
        try await quit()
        try await extra.remove()
    }
}

extension Scene {
    /// Returns windows with histories that together have as many tabs as the job says.
    ///
    /// - Parameter change: puts the tabs of each window into another form.
    func profile(
        _ job: Job, _ change: (inout SceneWindow) -> Void = { _ in }
    ) -> [SessionSnapshot] {
        let count = min(10, max(1, job.tabs))
        return (0..<count).map { place in
            var snapshot = sampler.window(
                tabs: job.tabs / count + (place < job.tabs % count ? 1 : 0), state: .navigationOnly)
            let window = SceneWindow(snapshot).changed(change)
            for index in window.tabs.indices { snapshot.tabs[index].metadata = window.tabs[index] }
            snapshot.nodes = window.nodes
            return snapshot
        }
    }
}
