import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

extension RequirementGroup {
    /// Damaged files: damage never looks like absence, sound content returns, losses are reported.
    public static let recovery = RequirementGroup(
        "RECOVERY",
        """
        Damaged files: damage is never taken for emptiness, what is sound comes back, and what was lost is said.
        """)
}

extension ConformanceSuite {
    static let recovery: [SuiteEntry] = damageRequirements + refusalRequirements

    @SuiteBuilder private static var damageRequirements: [SuiteEntry] {
        SuiteEntry(
            "RECOVERY-1", .must,
            "A damaged store never ends or blocks the process that opens and reads it.",
            needs: [.files, .processes]
        )
        .tried("every file cut", timeLimit: .seconds(300)) { context in
            try await DamageTrial.each(.truncate, context) { _ = try await DamagedContent($0) }
        }
        .tried("every file as large as it can be", timeLimit: .seconds(300), HugeFiles.areSurvived)
        #if FaultyBackends
            .catches(
                FaultyBackend.onDamage("traps-on-damage", "within the case") {
                    _, _ throws(StorageError) in
                    if ConformanceChild.isChild { abort() }
                    throw StorageError(.corrupted, "damaged")
                })
        #endif
        SuiteEntry(
            "RECOVERY-3", .must,
            """
            Opening and reading a damaged store throw no other code than corrupted, and give back \
            nothing that was never saved. Each thing that was saved and is not there is reported: by a \
            loss of its own or of unknown extent, as corrupted, or as a discarded incognito partition. \
            The partition that is not damaged, and each session that is called intact, is as it was \
            saved. A damaged store is never taken for a new one.
            """, needs: [.files]
        )
        .tried(damage: FileDamage.allCases) {
            try RecoveryCases.survives($0, try await DamagedContent($0))
        }
        #if FaultyBackends
            .catches(
                FaultyBackend.onDamage("calls-damage-a-failure", "threw .failed") {
                    _, _ throws(StorageError) in
                    throw StorageError(.failed, "something is wrong")
                },
                FaultyBackend.onDamage("one-loss-for-all", "nothing says so of it") {
                    base, _ throws(StorageError) in
                    TellsOneLoss(base: base, session: try base.sessionsBlocking().first)
                },
                FaultyBackend.onDamage("resets-a-damaged-store", "nothing says so") {
                    base, configuration throws(StorageError) in
                    try base.closeBlocking()
                    try FileSystem.remove(configuration.location)
                    return try ReferenceEngine.open(configuration)
                },
                FaultyBackend.onDamage("swallows-losses", "nothing says so") { base, _ in
                    SwallowsLosses(base: base)
                },
                FaultyBackend(
                    "keeps-titles-without-checksums", says: "a tab came back that was never saved",
                    opening: { configuration throws(StorageError) in
                        TitlesInFiles(
                            base: try ReferenceEngine.open(configuration),
                            folder: "\(configuration.location)/titles")
                    }),
                FaultyBackend.onDamage("fills-gaps", "never saved") { base, _ in
                    FillsGaps(base: base)
                },
                FaultyBackend.onDamage("gives-up-incognito", "is not as it was") {
                    base, _ throws(StorageError) in
                    try base.deleteIncognitoBlocking()
                    return base
                })
        #endif
        SuiteEntry(
            "RECOVERY-6", .must,
            """
            After any one flipped bit the same holds, and of every session, tab and state the one that \
            was saved last comes back, or is reported. The bit costs at most as many tabs as the set that \
            saved them had.
            """, needs: [.files]
        )
        .tried("bits of every file", timeLimit: .seconds(600)) { context in
            try await RecoveryCases.survivesBits(context) {
                let times = context.amount(1, full: 8, long: 100)
                try await DamageTrial.each(.flip, context, times: times, $0)
            }
        }
        .tried("bits of headers and footers", timeLimit: .seconds(1800)) { context in
            try await RecoveryCases.survivesBits(context) {
                try await DamageTrial.eachSmallFlip(context, $0)
            }
        }
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "salvages-nothing", says: "it cost ",
                    engine: FaultyEngine(.salvagesNothing)),
                FaultyBackend.onDamage("answers-with-older-states", "is an older one, and nothing")
                {
                    base, _ throws(StorageError) in
                    let lost = try base.checkBlocking().losses
                    let session = lost.first { $0.tab != nil && $0.session?.partition == .regular }?
                        .session
                    return session.map { GoesBack(base: base, session: $0) } ?? base
                })
        #endif
        SuiteEntry(
            "RECOVERY-7", .must,
            """
            Damaged bytes of the regular partition are kept where the report says; nothing of the \
            incognito partition is.
            """, needs: [.files]
        )
        .tried(damage: [.flip, .zero], times: 3, RecoveryCases.keepsDamagedBytes)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "keeps-other-bytes", says: "are not in what was kept",
                    opening: { configuration throws(StorageError) in
                        let store = try ReferenceEngine.open(configuration)
                        let folder = "\(configuration.location)/quarantine"
                        guard try FileSystem.exists(folder) else { return store }
                        for item in try FileSystem.contents(of: folder) {
                            try FileSystem.remove("\(folder)/\(item)")
                            try FileSystem.makeDirectories("\(folder)/\(item)")
                        }
                        return store
                    }),
                FaultyBackend.onDamage(
                    "keeps-incognito-bytes", "of the incognito partition was kept"
                ) {
                    base, configuration in
                    AlteredReports(base: base) {
                        $0.quarantined.append("\(configuration.location)/incognito")
                    }
                },
                FaultyBackend.onDamage("throws-damaged-bytes-away", "no copy is named") {
                    base, configuration throws(StorageError) in
                    try FileSystem.remove("\(configuration.location)/quarantine")
                    return AlteredReports(base: base) { $0.quarantined = [] }
                })
        #endif
        SuiteEntry(
            "RECOVERY-8", .must,
            """
            A damaged store that opens can be saved to, and at the next opening that is there, \
            and what could be read before.
            """, needs: [.files]
        )
        .tried(damage: [.flip, .truncate, .remove], RecoveryCases.goesOn)
        #if FaultyBackends
            .catches(
                FaultyBackend.onDamage("read-only-after-damage", "cannot be saved to") { base, _ in
                    AlteredStorage(
                        base: base,
                        onSave: { _, _, _ throws(StorageError) in
                            throw StorageError(.corrupted, "the store has losses")
                        })
                })
        #endif
        SuiteEntry(
            "RECOVERY-9", .must,
            """
            A check changes no file. After a repair the store is healthy, as its report says, and a \
            second one changes nothing. Every report names what was set aside until it is purged, and \
            nothing of it is left then.
            """, needs: [.files]
        )
        .tried(damage: [.flip, .truncate, .remove], RecoveryCases.repairs)
        #if FaultyBackends
            .catches(
                FaultyBackend("check-that-repairs", says: "after a check") {
                    RepairsWhenChecked(base: $0)
                },
                FaultyBackend.onDamage("stays-damaged", "not healthy after the repair") { base, _ in
                    NeverRepairs(base: base)
                },
                FaultyBackend.onDamage("repairs-in-secret", "calls for another") { base, _ in
                    AlteredReports(base: base) { $0.isRepaired = false }
                },
                FaultyBackend("keeps-what-is-purged", says: "after a purge") {
                    KeepsQuarantine(base: $0)
                })
        #endif
        SuiteEntry(
            "RECOVERY-20", .must,
            """
            A check reports a loss where a restore point is not as it was taken, as where the present is not as \
            it was saved.
            """, needs: [.files, .restorePoints]
        )
        .tried("bits of every file", timeLimit: .seconds(600), PointDamage.isReported)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "keeps-quiet-about-damaged-points", says: "is not as it was, and nothing"
                ) {
                    AlteredReports(base: $0) { report in
                        report.losses.removeAll { $0.kind == .restorePoint }
                    }
                })
        #endif
        SuiteEntry(
            "RECOVERY-11", .must,
            """
            Damage within one large blob costs that blob alone: reading it throws corrupted, \
            the report names its session and its tab, and all else is as it was saved.
            """, needs: [.files]
        )
        .tried("a blob saved in the last run") { context in
            try await BlobDamage(context, rests: false).tryIt()
        }
        .tried("a blob saved in the run before") { context in
            try await BlobDamage(context, rests: true).tryIt()
        }
        #if FaultyBackends
            .catches(
                FaultyBackend("damaged-blobs-are-absent", says: "the damaged blob:") {
                    AlteredStorage(
                        base: $0,
                        onState: { base, keys throws(StorageError) in
                            var found: [TabStateKey: [UInt8]] = [:]
                            for key in keys {
                                do throws(StorageError) {
                                    found[key] = try await base.state(of: key)
                                } catch {
                                    guard error.code == .corrupted else { throw error }
                                }
                            }
                            return found
                        })
                },
                FaultyBackend.onDamage("drops-tabs-of-damaged-blobs", "the number of tabs") {
                    base, _ throws(StorageError) in
                    let lost = Set(try base.checkBlocking().losses.compactMap(\.tab))
                    return AlteredStorage.restoring(base) { session in
                        session.tabs.removeAll { lost.contains($0.id) }
                    }
                },
                FaultyBackend.onDamage("counts-damaged-blobs", "0 losses of the damaged blob") {
                    base, _ in
                    AlteredReports(base: base) { report in
                        report.losses = report.losses.map { Loss($0.kind, detail: $0.detail) }
                    }
                })
        #endif
        SuiteEntry(
            "RECOVERY-18", .must,
            """
            Of the tabs of a damaged store at least a named share comes back: 95 % after one \
            damaged byte, 85 % after one damaged block of 4 KiB, wherever it is, and 25 % if \
            half of a file is gone.
            """, needs: [.files]
        )
        .tried(each: SalvageTrial.Extent.allCases) { extent, context in
            try await SalvageTrial(context, extent).tryIt()
        }
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "salvages-little", says: "too little came back: one byte",
                    engine: FaultyEngine(.salvagesLittle)))
        #endif
    }
}

extension SuiteEntry {
    /// Adds a case for each kind of damage; every file of a used store gets some in turn.
    fileprivate func tried(
        damage kinds: [FileDamage], times: Int = 1, line: Int = #line,
        _ judge: @escaping @Sendable (DamageTrial) async throws -> Void
    ) -> SuiteEntry {
        tried(each: kinds, line: line) { kind, context in
            try await DamageTrial.each(kind, context, times: times) { try await judge($0) }
        }
    }
}
