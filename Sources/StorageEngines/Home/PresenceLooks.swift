/// When an open store looks whether its files were removed: at each durable write, and at one in sixteen
/// others, since a look takes as long as a small write does.
public struct PresenceLooks: Sendable {
    private var writes = 0

    public init() {}

    /// Whether to look after this write.
    public mutating func areDue(durably: Bool) -> Bool {
        writes += 1
        guard durably || writes >= 16 else { return false }
        writes = 0
        return true
    }
}
