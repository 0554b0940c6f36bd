#if FaultyBackends
    import BrowserSessions
    import Foundation
    import LocalFiles
    import StorageEngines
    import Synchronization

    /// How long these backends pause where a kill shows their fault: long enough for a kill to land
    /// there on any machine, since a kill before or after would prove nothing.
    let timeForAKill = Duration.milliseconds(50)

    /// Answers saves before they are written.
    final class DelayedSaves: StorageDecorator {
        enum Moment { case atDurableSave, atNextSave, afterNextSave }

        let base: any SessionStorage
        private let whenToWrite: Moment
        private let waiting = Mutex<[SessionChanges]>([])

        init(base: any SessionStorage, whenToWrite: Moment) {
            self.base = base
            self.whenToWrite = whenToWrite
        }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let held = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            let mayWait: Bool
            switch whenToWrite {
            case .atDurableSave: mayWait = durability < .powerLoss
            case .atNextSave: mayWait = true
            case .afterNextSave: mayWait = held.isEmpty
            }
            var writing = mayWait && whenToWrite == .atDurableSave ? [] : held
            if mayWait {
                let kept = whenToWrite == .atDurableSave ? held + [changes] : [changes]
                waiting.withLock { $0 = kept }
            } else {
                writing = whenToWrite == .afterNextSave ? [changes] + held : held + [changes]
            }
            for set in writing {
                _ = try await base.save(set, durability: durability)
                // waits: rests where a kill shows its fault
                if whenToWrite == .afterNextSave { try? await Task.sleep(for: timeForAKill) }
            }
            return SaveReceipt(sequence: 1, durability: durability)
        }
    }

    /// Writes each change of a set separately.
    struct WritesOneByOne: StorageDecorator {
        let base: any SessionStorage

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            for change in changes.changes {
                var part = SessionChanges()
                part.add(change)
                _ = try await base.save(part, durability: .processCrash)
                // waits: rests where a kill shows its fault
                try? await Task.sleep(for: timeForAKill)
            }
            return try await base.save(SessionChanges(), durability: durability)
        }
    }

    /// Removes a file when it is closed.
    struct MarkedUntilClosed: StorageDecorator {
        let base: any SessionStorage
        let mark: String

        /// Refuses to open a store that was not closed.
        static func open(_ configuration: StorageConfiguration) throws(StorageError)
            -> any SessionStorage
        {
            let mark = "\(configuration.location)/in-use"
            let store = try ReferenceEngine.open(configuration)
            if try FileSystem.exists(mark) {
                throw StorageError(.corrupted, "the store was not closed")
            }
            try FileSystem.replace(mark, with: [])
            return MarkedUntilClosed(base: store, mark: mark)
        }

        func close() async throws(StorageError) {
            try FileSystem.remove(mark)
            try await base.close()
        }
    }

    /// Recovery that works on the only copy: removes the log's content and writes it again.
    enum InterruptibleRecovery {
        /// How long the second recovery rests: until a kill comes, however late.
        private static let timeForALateKill = Duration.seconds(10)

        static func open(_ configuration: StorageConfiguration) throws(StorageError)
            -> any SessionStorage
        {
            let log = "\(configuration.location)/regular/records.log"
            let mark = "\(configuration.location)/in-use"
            // One byte for each opening that ended since the store was closed.
            let openings = try FileSystem.exists(mark) ? try FileSystem.read(mark) : []
            let bytes = try FileSystem.exists(log) ? try FileSystem.read(log) : []
            if !openings.isEmpty, !bytes.isEmpty {
                // At once and without a sync, so that a kill finds the log empty.
                try? FileHandle(forWritingAtPath: log)?.truncate(atOffset: 0)
                // The first recovery is the one that the suite lets end, to see how long it takes.
                let rest = openings.count == 2 ? timeForALateKill : timeForAKill
                // waits: rests where a kill shows its fault
                Thread.sleep(forTimeInterval: rest / .seconds(1))
                try FileSystem.replace(log, with: bytes)
            }
            let store = try ReferenceEngine.open(configuration)
            try FileSystem.replace(mark, with: openings + [0])
            return MarkedUntilClosed(base: store, mark: mark)
        }
    }
#endif
