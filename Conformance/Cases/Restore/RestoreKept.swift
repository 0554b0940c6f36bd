import BrowserSessions

/// RESTORE-18: earlier versions by their names.
extension ConformanceSuite {
    @SuiteBuilder static var restoreKept: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-18", .must,
            """
            Each earlier generation that is kept is listed with the time at which it was taken, the \
            newest first, and comes back by its id; one that is not kept is `notFound`.
            """, needs: [.reopening, .previousGeneration]
        )
        .tried("three openings", keptByName)
        #if FaultyBackends
            .catches(
                FaultyBackend("lists-no-generation", says: "none is listed") { base in
                    AltersGenerations(base: base) { _ in [] }
                },
                FaultyBackend("takes-generations-at-no-time", says: "the time") { base in
                    AltersGenerations(base: base) { kept in
                        kept.map { KeptGeneration(id: $0.id, takenAt: .unknown) }
                    }
                },
                FaultyBackend("lists-what-is-not-kept", says: "is not kept") { base in
                    AltersGenerations(base: base) { kept in
                        [KeptGeneration(id: GenerationID(rawValue: 0), takenAt: .now())] + kept
                    }
                },
                FaultyBackend("restores-the-current-one-by-id", says: "the kept session") { base in
                    RestoresKept(base: base) { base, ids, generation throws(StorageError) in
                        _ = try await base.restore(ids, generation: generation)
                        return try await base.restore(ids)
                    }
                },
                FaultyBackend("keeps-quiet-about-generations", says: "is not kept") { base in
                    RestoresKept(base: base) { base, ids, generation throws(StorageError) in
                        do throws(StorageError) {
                            return try await base.restore(ids, generation: generation)
                        } catch {
                            if error.code == .notFound { return [] }
                            throw error
                        }
                    }
                })
        #endif
    }

    @Sendable private static func keptByName(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let begin = Timestamp.now()
        var last: GenerationID?
        for number in 1...3 {
            let before = Plain.window(1, tabs: 0..<number - 1)
            let store = try await context.open(location)
            if number > 1 {
                let kept = try await store.generations()
                let newest = try unwrap(kept.first, "a generation is kept and none is listed")
                try require(
                    (begin...Timestamp.now()).contains(newest.takenAt),
                    "the time of a generation is not that of an opening: \(newest.takenAt)")
                try require(
                    last.map { newest.id > $0 } ?? true,
                    "the newest generation is not the first of those that are listed")
                try await requireKept(before, of: newest.id, in: store)
                last = newest.id
            }
            _ = try await store.save(Plain.window(1, tabs: 0..<number).changes)
            if let last, number > 1 { try await requireKept(before, of: last, in: store) }
            try await requireError(.notFound, from: "a generation that is not kept") {
                let unknown = GenerationID(rawValue: .max)
                _ = try await store.restore(Plain.session(1), generation: .kept(unknown))
            }
            try await store.close()
        }
    }

    private static func requireKept(
        _ window: ExpectedSession, of generation: GenerationID, in store: any SessionStorage
    ) async throws {
        let found = try unwrap(
            try await store.restore(window.id, generation: .kept(generation)),
            "the kept session is absent")
        try window.check(found, "the kept session")
    }
}

#if FaultyBackends
    /// Lists generations that differ from the existing ones.
    private struct AltersGenerations: StorageDecorator {
        let base: any SessionStorage
        let alter: @Sendable ([KeptGeneration]) -> [KeptGeneration]

        func generations() async throws(StorageError) -> [KeptGeneration] {
            alter(try await base.generations())
        }
    }

    /// Does something else for a request of a generation by its id.
    private struct RestoresKept: StorageDecorator {
        let base: any SessionStorage
        let restored:
            @Sendable (any SessionStorage, [SessionID], SessionGeneration)
                async throws(StorageError)
                -> [RestoredSession]

        func restore(_ ids: [SessionID], generation: SessionGeneration)
            async throws(StorageError) -> [RestoredSession]
        {
            guard case .kept = generation else {
                return try await base.restore(ids, generation: generation)
            }
            return try await restored(base, ids, generation)
        }
    }
#endif
