import BrowserSessions
import StorageEngines

extension ConformanceSuite {
    /// What is not damage, and what damage does not reach.
    @SuiteBuilder static var refusalRequirements: [SuiteEntry] {
        SuiteEntry(
            "RECOVERY-12", .must,
            "A write that a crash cut off is no damage: the sets before it are there.",
            needs: [.files, .processCrash]
        )
        .tried("end of a growing file cut", RefusalCases.unfinishedTail)
        .catches("unfinished-is-damaged", says: "called damage", engine: .wantsWholeBatches)
        SuiteEntry(
            "RECOVERY-13", .must,
            """
            An older copy of a partition that was put back is reported at every opening until a repair \
            accepts it.
            """, needs: [.files]
        )
        .tried(
            "each partition, of a store that was closed and of one that was killed",
            RefusalCases.olderCopies
        )
        .catches("no-marks", says: "is called healthy") { configuration, open in
            for name in ["regular.closed", "regular.opened"] {
                try FileSystem.remove("\(configuration.location)/\(name)")
            }
            return try open(configuration)
        }
        SuiteEntry(
            "RECOVERY-14", .must,
            """
            Missing rights, files with times of a wrong clock, another format and a store of \
            another backend are never called corrupted, and no file is changed.
            """, needs: [.files]
        )
        .tried("older and newer formats, and another backend", RefusalCases.otherMakers)
        .tried("missing rights", RefusalCases.withoutRights)
        .tried("times of a wrong clock", RefusalCases.wrongTimes)
        .catches("overwrites-newer-stores", says: "opened all the same") { configuration, open in
            do throws(StorageError) {
                return try open(configuration)
            } catch {
                guard error.code == .incompatibleFormat else { throw error }
                try FileSystem.remove(configuration.location)
                return try open(configuration)
            }
        }
        SuiteEntry(
            "RECOVERY-15", .must,
            "Too many open files are never called corrupted, and cost nothing that was saved.",
            needs: [.files, .processes]
        )
        .tried("few descriptors left", RefusalCases.fewDescriptors)
        .catches("few-files-are-corruption", says: "opening threw .corrupted") {
            configuration, open in
            do throws(StorageError) {
                return try open(configuration)
            } catch {
                guard error.code == .failed else { throw error }
                throw StorageError(.corrupted, "the store cannot be read")
            }
        }
        SuiteEntry(
            "RECOVERY-16", .must,
            "A directory with files of another program is refused, untouched.", needs: [.files]
        )
        .tried("somebody's letter", RefusalCases.foreignDirectory)
        .catches("tidies-up", says: "letter.txt' is gone") { configuration, open in
            try FileSystem.remove("\(configuration.location)/letters/letter.txt")
            return try open(configuration)
        }
    }
}
