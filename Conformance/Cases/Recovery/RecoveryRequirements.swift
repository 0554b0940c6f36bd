import BrowserSessions
import Foundation
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
        .catches(
            .onDamage("traps-on-damage", "within the case") { _, _ in
                if ConformanceChild.isChild { abort() }
                throw StorageError(.corrupted, "damaged")
            })
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
        .catches(
            .onDamage("calls-damage-a-failure", "threw .failed") { _, _ in
                throw StorageError(.failed, "something is wrong")
            },
            .onDamage("one-loss-for-all", "nothing says so of it") { store, _ in
                let session = try store.sessionsBlocking().first
                let loss = Loss(
                    .tab, session: session, tab: TabID(high: 1, low: 1), detail: "one")
                return store.restoring { $0.losses = [] }.reporting { $0.losses = [loss] }
                    .refused(StatesRequest.self, for: StorageError.Code.allCases) { _, _, _ in
                        [:]
                    }
            },
            .onDamage("resets-a-damaged-store", "nothing says so") { store, configuration in
                try store.closeBlocking()
                try FileSystem.remove(configuration.location)
                return try ReferenceEngine.open(configuration)
            },
            .onDamage("swallows-losses", "nothing says so") { store, _ in
                store.swallowingLosses()
            },
            .onDamage("fills-gaps", "never saved") { store, _ in
                store.restoring { session in
                    guard let last = session.tabs.last, session.provenance == .salvaged else {
                        return
                    }
                    session.tabs.append(
                        TabMetadata(id: .random(), place: last.place, url: "about:blank"))
                }
            },
            .onDamage("gives-up-incognito", "is not as it was") { store, _ in
                try store.deleteIncognitoBlocking()
                return store
            }
        )
        .catches("keeps-titles-without-checksums", says: "a tab came back that was never saved") {
            configuration, open in
            try open(configuration).keepingTitles(in: "\(configuration.location)/titles")
        }
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
        .catches("salvages-nothing", says: "it cost ", engine: .salvagesNothing)
        .catches(
            .onDamage("answers-with-older-states", "is an older one, and nothing") { store, _ in
                let lost = try store.checkBlocking().losses
                guard
                    let session = lost.first(where: {
                        $0.tab != nil && $0.session?.partition == .regular
                    })?
                    .session
                else { return store }
                return store.on(RestoreRequest.self) { restore, store in
                    var found = try await restore.perform(on: store)
                    for index in found.indices {
                        guard let old = try await store.restoreEarlier(found[index].id) else {
                            continue
                        }
                        found[index] = old
                        (found[index].provenance, found[index].losses) = (.salvaged, [])
                    }
                    return found
                }.reporting {
                    $0.losses = [Loss(.attributes, session: session, detail: "the attributes")]
                }
            })
        SuiteEntry(
            "RECOVERY-7", .must,
            """
            Damaged bytes of the regular partition are kept where the report says; nothing of the \
            incognito partition is.
            """, needs: [.files]
        )
        .tried(damage: [.flip, .zero], times: 3, RecoveryCases.keepsDamagedBytes)
        .catches("keeps-other-bytes", says: "are not in what was kept") { configuration, open in
            let store = try open(configuration)
            let folder = "\(configuration.location)/quarantine"
            guard try FileSystem.exists(folder) else { return store }
            for item in try FileSystem.contents(of: folder) {
                try FileSystem.remove("\(folder)/\(item)")
                try FileSystem.makeDirectories("\(folder)/\(item)")
            }
            return store
        }
        .catches(
            .onDamage("keeps-incognito-bytes", "of the incognito partition was kept") {
                store, configuration in
                store.reporting { $0.quarantined.append("\(configuration.location)/incognito") }
            },
            .onDamage("throws-damaged-bytes-away", "no copy is named") { store, configuration in
                try FileSystem.remove("\(configuration.location)/quarantine")
                return store.reporting { $0.quarantined = [] }
            })
        SuiteEntry(
            "RECOVERY-8", .must,
            """
            A damaged store that opens can be saved to, and at the next opening that is there, \
            and what could be read before.
            """, needs: [.files]
        )
        .tried(damage: [.flip, .truncate, .remove], RecoveryCases.goesOn)
        .catches(
            .onDamage("read-only-after-damage", "cannot be saved to") { store, _ in
                store.on(SaveRequest.self) { _, _ in
                    throw StorageError(.corrupted, "the store has losses")
                }
            })
        SuiteEntry(
            "RECOVERY-9", .must,
            """
            A check changes no file. After a repair the store is healthy, as its report says, and a \
            second one changes nothing. Every report names what was set aside until it is purged, and \
            nothing of it is left then.
            """, needs: [.files]
        )
        .tried(damage: [.flip, .truncate, .remove], RecoveryCases.repairs)
        .catches(
            .onDamage("stays-damaged", "not healthy after the repair") { store, _ in
                store.on(CheckRequest.self) { check, store in
                    var report = try await store.check()
                    report.isRepaired = check.mode == .repair
                    return report
                }
            },
            .onDamage("repairs-in-secret", "calls for another") { store, _ in
                store.reporting { $0.isRepaired = false }
            }
        )
        .catches("check-that-repairs", says: "after a check") {
            $0.on(CheckRequest.self) { try await $1.repair() }
        }
        .catches("keeps-what-is-purged", says: "after a purge") {
            $0.on(EraseRequest.self) { _, _ in ForgettingReceipt() }
        }
        SuiteEntry(
            "RECOVERY-20", .must,
            """
            A check reports a loss where a restore point is not as it was taken, as where the present is not as \
            it was saved.
            """, needs: [.files, .restorePoints]
        )
        .tried("bits of every file", timeLimit: .seconds(600), PointDamage.isReported)
        .catches("keeps-quiet-about-damaged-points", says: "is not as it was, and nothing") {
            $0.reporting { $0.losses.removeAll { $0.kind == .restorePoint } }
        }
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
        .catches("damaged-blobs-are-absent", says: "the damaged blob:") {
            $0.refused(StatesRequest.self, for: [.corrupted]) { states, store, _ in
                var found: [TabStateKey: [UInt8]] = [:]
                for key in states.keys { found[key] = try? await store.state(of: key) }
                return found
            }
        }
        .catches(
            .onDamage("drops-tabs-of-damaged-blobs", "the number of tabs") { store, _ in
                let lost = Set(try store.checkBlocking().losses.compactMap(\.tab))
                return store.restoring { $0.tabs.removeAll { lost.contains($0.id) } }
            },
            .onDamage("counts-damaged-blobs", "0 losses of the damaged blob") { store, _ in
                store.reporting { report in
                    report.losses = report.losses.map { Loss($0.kind, detail: $0.detail) }
                }
            })
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
        .catches("salvages-little", says: "too little came back: one byte", engine: .salvagesLittle)
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
