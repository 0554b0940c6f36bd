import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines

extension RequirementGroup {
    /// Closing: everything is kept, everything is released, and later calls report it.
    public static let close = RequirementGroup(
        "CLOSE",
        """
        Closing: all is kept, all is released, and calls that come later say so.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var close: [SuiteEntry] {
        SuiteEntry("CLOSE-1", .must, "Closing a store twice is no error.")
            .tried("close twice") { context in
                let store = try await context.openNew()
                try await store.close()
                try await requireSuccess("the second close threw") { try await store.close() }
            }
            .catches("closes-once", says: "the second close threw") {
                let isClosed = FaultMemory(false)
                return $0.on(CloseRequest.self) { close, store in
                    if isClosed.set(true) {
                        throw StorageError(.closed, "closed already", operation: "close")
                    }
                    try await close.perform(on: store)
                }
            }
        SuiteEntry(
            "CLOSE-2", .must,
            """
            After close every other call throws closed and changes nothing, also one that had nothing \
            to do.
            """
        )
        .tried("every call after close", callsAfterClose)
        .catches("answers-empty-after-close", says: "sessions after close") {
            $0.refused(SessionsRequest.self, for: [.closed]) { _, _, _ in [] }
        }
        .catches("notes-calls-after-close", says: "a call after close threw: 'calls' is new") {
            configuration, open in
            let note = configuration.location + "/calls"
            return try open(configuration).refused(for: StorageError.Code.allCases) { _, _, error in
                try? FileSystem.replace(note, with: [1])
                throw error
            }
        }
        .catches("takes-empty-sets-after-close", says: "save of an empty set") {
            $0.on(SaveRequest.self) { save, store in
                guard !save.changes.isEmpty else {
                    return SaveReceipt(sequence: 0, durability: save.durability)
                }
                return try await save.perform(on: store)
            }
        }
        SuiteEntry(
            "CLOSE-3", .must, "Once close has returned, another opener can open the store at once.",
            needs: [.reopening]
        )
        .tried("open as soon as it is closed", openAtOnce)
        .catches("keeps-the-lock", says: "opening 2, after a close, failed") {
            $0.on(CloseRequest.self) { _, _ in }
        }
        SuiteEntry(
            "CLOSE-4", .must, "A store that was closed keeps no file of the process open.",
            needs: [.ownProcess]
        )
        .tried("fifty openings and closings", fileHandles)
        .catches("leaks-a-file", says: "50 openings and closings left") { configuration, open in
            _ = Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
            return try open(configuration)
        }
        SuiteEntry(
            "CLOSE-5", .must,
            "What was saved at any durability before a close is there at the next opening.",
            needs: [.reopening], proves: .reopening
        )
        .tried("a save of every level", everyLevel)
        .catches("drops-unsynced-at-close", says: "is gone after close") {
            let unsynced = FaultMemory(SessionChanges())
            return $0.before(SaveRequest.self) { save, _ in
                for case .put(.session(let id, _)) in save.changes.changes
                where save.durability < .powerLoss {
                    unsynced.use { $0.remove(id) }
                }
            }.on(CloseRequest.self) { close, store in
                if !unsynced.value.isEmpty { _ = try await store.save(unsynced.value) }
                try await close.perform(on: store)
            }
        }
        SuiteEntry(
            "CLOSE-6", .must,
            """
            A call that meets a close is done as a whole, or throws closed and has done \
            nothing.
            """, needs: [.reopening]
        )
        .tried("saves and reads while the store is closed", callsDuringClose)
        .catches("applies-and-says-closed", says: "applied all the same") {
            let isClosing = FaultMemory(false)
            return $0.closingSlowly(isClosing).on(SaveRequest.self) { save, store in
                let receipt = try await save.perform(on: store)
                guard isClosing.value else { return receipt }
                throw StorageError(.closed, "the store is closed", operation: "save")
            }
        }
        .catches("drops-saves-in-flight", says: "returned before close is gone") {
            let (isClosing, hasLied) = (FaultMemory(false), FaultMemory(false))
            return $0.closingSlowly(isClosing).on(SaveRequest.self) { save, store in
                guard isClosing.value, !hasLied.set(true) else {
                    return try await save.perform(on: store)
                }
                return SaveReceipt(sequence: 1, durability: save.durability)
            }
        }
        .catches(
            "takes-closed-for-empty", says: "a read that began after close was answered"
        ) {
            $0.refused(SessionsRequest.self, for: [.closed]) { _, _, _ in [] }
        }
    }

    private static func callsAfterClose(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        let samples = [
            sampler.window(tabs: 3, state: .blobs(100...2000)),
            sampler.window(tabs: 2, kind: .incognito, state: .blobs(100...2000)),
        ]
        for sample in samples { _ = try await store.save(SessionChanges(saving: sample)) }
        try await store.close()
        let before = try LocationFiles(location)
        for sample in samples {
            for call in OrdinaryCall.all(about: sample) {
                try await requireError(.closed, from: "\(call.name) after close") {
                    try await call.run(store)
                }
            }
        }
        try before.requireSame(at: location, "a call after close threw")
    }

    private static func openAtOnce(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var closed: [any SessionStorage] = []
        for round in 1...10 {
            let store = try await requireSuccess("opening \(round), after a close, failed") {
                try await context.open(location)
            }
            try await store.close()
            // The call to close gives the store up, not the end of the last reference.
            closed.append(store)
        }
        try requireEqual(closed.count, 10, "the stores that were opened")
    }

    private static func everyLevel(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        var saved: [(Durability, SessionSnapshot)] = []
        // The highest level first: nothing makes later saves of lower levels durable.
        let highest = store.traits.greatestDurability
        for level in Durability.allCases.reversed() where level <= highest {
            let sample = sampler.window(tabs: 4, state: .blobs(100...2000))
            _ = try await store.save(SessionChanges(saving: sample), durability: level)
            saved.append((level, sample))
        }
        let again = try await context.reopen(store, at: location)
        for (level, sample) in saved {
            let found = try unwrap(
                try await again.restore(sample.id),
                "a session saved with \(level.rawValue) is gone after close")
            try requireEqual(
                found.tabs.map(\.id), sample.tabs.map(\.metadata.id),
                "the tabs saved with \(level.rawValue), after close")
            for tab in sample.tabs {
                for (name, bytes) in tab.states {
                    let state = try await again.state(
                        of: TabStateKey(tab: tab.metadata.id, name: name, in: sample.id))
                    try require(
                        state == bytes,
                        "a state saved with \(level.rawValue) is not as saved after close")
                }
            }
        }
        try await again.close()
    }
}
