import BrowserSessions
import Foundation

extension Mutant {
    static let refusals: [Mutant] = [
        Mutant(
            "unfinished-is-damaged", breaks: "RECOVERY-12", says: "called damage",
            engine: FaultyEngine(wantsWholeBatches: true)),
        Mutant("no-marks", breaks: "RECOVERY-13", says: "is called healthy") {
            configuration throws(StorageError) in
            for name in ["regular.closed", "regular.opened"] {
                try FileSystem.remove("\(configuration.location)/\(name)")
            }
            return try ReferenceEngine.open(configuration)
        },
        renaming("lock-is-corruption", .locked, "RECOVERY-14", "a second opener: threw .corrupted"),
        Mutant("overwrites-newer-stores", breaks: "RECOVERY-14", says: "opened all the same") {
            configuration throws(StorageError) in
            do throws(StorageError) {
                return try ReferenceEngine.open(configuration)
            } catch {
                guard error.code == .incompatibleFormat else { throw error }
                try FileSystem.remove(configuration.location)
                return try ReferenceEngine.open(configuration)
            }
        },
        renaming("few-files-are-corruption", .failed, "RECOVERY-15", "opening threw .corrupted"),
        Mutant("tidies-up", breaks: "RECOVERY-16", says: "letter.txt' is gone") {
            configuration throws(StorageError) in
            try FileSystem.remove("\(configuration.location)/letters/letter.txt")
            return try ReferenceEngine.open(configuration)
        },
    ]

    /// A store that calls a trouble of opening damage.
    private static func renaming(
        _ name: String, _ code: StorageError.Code, _ requirement: String, _ message: String
    ) -> Mutant {
        Mutant(name, breaks: requirement, says: message) { configuration throws(StorageError) in
            do throws(StorageError) {
                return try ReferenceEngine.open(configuration)
            } catch {
                guard error.code == code else { throw error }
                throw StorageError(.corrupted, "the store cannot be read")
            }
        }
    }
}
