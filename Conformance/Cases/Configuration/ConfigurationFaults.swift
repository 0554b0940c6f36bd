import BrowserSessions
extension StorageConfiguration {
    /// Checks the options of a sound reference store, for faults beside them, and returns them.
    func checked(with own: StorageOption...) throws(StorageError) -> StorageConfiguration {
        try validate(against: StorageOption.common + own, of: "reference")
        return self
    }
}
extension StorageOption {
    static let secret = StorageOption(
        "passphrase", kind: .text, default: .text(""), isSecret: true, summary: "a secret")
    static let speed = StorageOption(
        "speed", kind: .choice(["slow", "fast"]), default: .text("slow"),
        summary: "how it saves")
}
/// Prints all its fields in its description, as any structure does.
struct HoldsItsSecret: StorageDecorator {
    let base: any SessionStorage
    let secret: OptionValue
}
