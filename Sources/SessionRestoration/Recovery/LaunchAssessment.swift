public import BrowserSessions

/// How the process before this one ended, and what follows from it.
public struct LaunchAssessment: Hashable, Sendable {
    /// Tabs that were loading when the process crashed.
    public var suspects: Set<TabID> = []
    public init() {}
}
/// A session that was set aside.
public struct SetAsideSession: Hashable, Sendable {
    public var id: SessionID
}
extension SessionRestorer {
    func beginLaunch() async throws(StorageError) -> LaunchAssessment { LaunchAssessment() }
    func endLaunch() async throws(StorageError) {}
    func startStabilityTimer() {}
    func setAsideIfAsked(
        _ found: inout [SessionKind: [RestoredSession]], _ report: inout RestorationReport
    ) async throws(StorageError) {}
}
