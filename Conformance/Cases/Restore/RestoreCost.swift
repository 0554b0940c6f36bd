import BrowserSessions
import SessionSamples
import StorageEngines

extension ConformanceSuite {
    /// What a restore reads.
    @SuiteBuilder static var restoreCost: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-15", .must, "Restoring a session does not read the state of its tabs.",
            needs: [.files, .processes]
        )
        .tried("2,000 tabs with 8 KiB of state each") { context in
            guard ReadBytes.ofThisProcess != nil else {
                throw NotTried("this system does not count the bytes that a process reads")
            }
            let (count, size) = (2000, 8 << 10)
            var generator = context.generator
            var changes = SessionChanges()
            let places = OrderKey.evenlySpaced(count: count)
            for number in 0..<count {
                var tab = Plain.tab(number)
                tab.place = places[number]
                changes.put(tab, in: Plain.session(1))
                changes.put(
                    SampleState.blob(bytes: size, using: &generator), for: Plain.key(number))
            }
            let set = changes
            try await context.reopening { store in
                _ = try await store.save(set)
            } then: { store in
                let before = ReadBytes.ofThisProcess ?? 0
                let session = try await store.restore(Plain.session(1))
                let read = (ReadBytes.ofThisProcess ?? 0) - before
                try requireEqual(session?.tabs.count, count, "the number of tabs")
                context.note("restoring \(count) tabs read \(read) bytes")
                try require(
                    read < count * size / 4,
                    "restoring read \(read) bytes beside \(count * size) bytes of state")
            }
        }
        .catches("reads-state-to-restore", says: "restoring read") { configuration, open in
            // The engine has everything in memory; this reads its log again.
            let log = ReferenceLog.file(in: "\(configuration.location)/regular")
            return try open(configuration).before(RestoreRequest.self) { _, _ in
                _ = try FileSystem.read(log)
            }
        }
    }
}
