/// Decides when an open store checks whether its files were removed: at each durable write, and at
/// one in sixteen others, since a check takes as long as a small write.
struct RemovalCheck: Sendable {
    private var writes = 0

    /// Returns whether a check is due after this write.
    mutating func isDue(durably: Bool) -> Bool {
        writes += 1
        guard durably || writes >= 16 else { return false }
        writes = 0
        return true
    }
}
