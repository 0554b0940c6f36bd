public import StorageConformance

extension ConformanceCase {
    /// Whether the case has a process of its own in this run: with each change only if it needs one, in the
    /// nightly run always.
    public var hasOwnProcess: Bool {
        TestRun.isNightly || requirement.needs.contains { [.ownProcess, .processes].contains($0) }
    }
}
