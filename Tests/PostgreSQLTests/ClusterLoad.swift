#if PostgreSQL
    import BrowserSessions
    import PostgreSQLBackend
    import Synchronization
    import Testing

    /// Browsers that save all the time, each a profile of its own; and for each of them somebody else who
    /// wants the profile, too.
    final class ClusterLoad: Sendable {
        /// What the browsers met.
        struct Outcome: Sendable {
            var acknowledged = 0
            /// What was acknowledged and is not there.
            var lost = 0
            /// Saves with an outcome that was unknown at first.
            var unknown = 0
            /// Of these, those that never became known.
            var unresolved = 0
            /// How often a store had to be opened again.
            var reopenings = 0
            /// Saves that were acknowledged to an owner while somebody else was one.
            var doubleOwners = 0
            var longestPause = Duration.zero
            var problems: [String] = []
            /// Why stores had to be opened again.
            var notes: [String] = []
        }

        private let browsers: [ClusterBrowser]
        private let tasks: [Task<Void, any Error>]

        private init(_ browsers: [ClusterBrowser]) {
            self.browsers = browsers
            let stop = ClusterStop()
            self.stop = stop
            tasks = browsers.map { browser in Task { try await browser.save(until: stop) } }
        }

        private let stop: ClusterStop

        static func begin(profiles: Int) async throws -> ClusterLoad {
            var browsers: [ClusterBrowser] = []
            for _ in 0..<profiles {
                browsers.append(try await ClusterBrowser(at: TestServer.profile()))
            }
            return ClusterLoad(browsers)
        }

        /// Returns once each browser has had ten more saves acknowledged.
        func progress() async throws {
            for browser in browsers { await browser.waitForSaves(10) }
        }

        /// Ends the load and looks what is there.
        func end() async throws -> Outcome {
            stop.set()
            for task in tasks { try await task.value }
            var sum = Outcome()
            for browser in browsers {
                let outcome = try await browser.verified()
                sum.acknowledged += outcome.acknowledged
                sum.lost += outcome.lost
                sum.unknown += outcome.unknown
                sum.unresolved += outcome.unresolved
                sum.reopenings += outcome.reopenings
                sum.doubleOwners += outcome.doubleOwners
                sum.longestPause = max(sum.longestPause, outcome.longestPause)
                sum.problems += outcome.problems
                sum.notes += outcome.notes
            }
            return sum
        }
    }

    /// Says that it is enough.
    final class ClusterStop: Sendable {
        private let value = Atomic(false)

        func set() { value.store(true, ordering: .relaxed) }
        var isSet: Bool { value.load(ordering: .relaxed) }
    }

    /// One of the browsers.
    actor ClusterBrowser {
        /// As in two processes: what belongs to a process is in such a value.
        private static let own = StorageBackend.postgreSQL(connections: 8, lease: .seconds(3))
        private static let others = StorageBackend.postgreSQL(connections: 8)
        private static let id = SessionID(window: WindowID(high: 1, low: 1))

        private let configuration: StorageConfiguration
        private let location: String
        private var store: any SessionStorage
        private var number = 0
        private var outcome = ClusterLoad.Outcome()
        private var waiting: [(number: Int, CheckedContinuation<Void, Never>)] = []

        init(at location: String) async throws {
            self.location = location
            configuration = StorageConfiguration(
                location: location,
                options: ["durability": .text("replicated"), "timeout": .integer(3)])
            store = try await Self.own.open(configuration)
        }

        func waitForSaves(_ count: Int) async {
            await withCheckedContinuation { waiting.append((number + count, $0)) }
        }

        func save(until stop: ClusterStop) async throws {
            var last = ContinuousClock.now
            // waits: for nothing, a load goes on until it is stopped
            while !stop.isSet {
                try await saveNext()
                let now = ContinuousClock.now
                outcome.longestPause = max(outcome.longestPause, now - last)
                last = now
                outcome.acknowledged += 1
                for (_, continuation) in waiting.filter({ $0.number <= number }) {
                    continuation.resume()
                }
                waiting.removeAll { $0.number <= number }
                if number.isMultiple(of: 50) { try await contest() }
            }
        }

        /// Saves the next set, however often it takes.
        private func saveNext() async throws {
            let next = number + 1
            let changes = Self.set(next)
            var isUnknown = false
            // waits: each turn is a call to the server, or waits for the primary
            while true {
                do {
                    let receipt = try await store.save(changes, durability: .replicated)
                    if receipt.durability < .replicated {
                        outcome.problems.append("less was promised")
                    }
                    break
                } catch {
                    if error.effect == .indeterminate, !isUnknown {
                        isUnknown = true
                        outcome.unknown += 1
                    }
                    guard error.code != .unavailable else {
                        try await TestCluster.waitForPrimary()
                        // Its lease may have run out meanwhile, and somebody else is faster.
                        try await contest()
                        continue
                    }
                    guard [.fenced, .durabilityLost, .closed].contains(error.code) else {
                        outcome.problems.append("\(error)")
                        throw error
                    }
                    outcome.notes.append("\(error)")
                    try await reopen()
                    let found = try await found()
                    if found != number && !(isUnknown && found == next) {
                        outcome.problems.append("\(found) instead of \(number)")
                        outcome.lost += max(1, number - found)
                    }
                }
            }
            number = next
        }

        private func reopen() async throws {
            outcome.reopenings += 1
            try? await store.close()
            // waits: each turn is a call to the server, or waits for the primary
            while true {
                do {
                    store = try await Self.own.open(configuration)
                    return
                } catch {
                    guard [.unavailable, .locked].contains(error.code) else { throw error }
                    try await TestCluster.waitForPrimary()
                }
            }
        }

        /// The number of the set that is there; each is there as a whole.
        private func found() async throws -> Int {
            // waits: each turn is a call to the server, or waits for the primary
            while true {
                do {
                    guard let session = try await store.restore(Self.id) else { return 0 }
                    let titles = Set(session.tabs.map(\.title) + [session.attributes.title])
                    if titles.count != 1 { outcome.problems.append("half a set: \(titles)") }
                    return titles.first.flatMap { Int($0) } ?? -1
                } catch {
                    guard error.code == .unavailable else { throw error }
                    try await TestCluster.waitForPrimary()
                }
            }
        }

        /// Another owner wants the profile. The one that gets it is the only one.
        private func contest() async throws {
            let other: any SessionStorage
            do throws(StorageError) {
                other = try await Self.others.open(configuration)
            } catch {
                if ![.locked, .unavailable].contains(error.code) {
                    outcome.problems.append("\(error)")
                }
                return
            }
            do throws(StorageError) {
                _ = try await store.save(Self.set(number + 1), durability: .replicated)
                outcome.doubleOwners += 1
            } catch {
                if ![.fenced, .unavailable].contains(error.code) {
                    outcome.problems.append("\(error)")
                }
            }
            try? await other.close()
        }

        /// What became of everything, for the next owner.
        func verified() async throws -> ClusterLoad.Outcome {
            try await reopen()
            outcome.reopenings -= 1
            let found = try await found()
            if found < number { outcome.lost += number - found }
            if found > number { outcome.unresolved += 1 }
            if try await !store.check().isHealthy { outcome.problems.append("not healthy") }
            try await store.close()
            return outcome
        }

        private static func set(_ number: Int) -> SessionChanges {
            var changes = SessionChanges()
            changes.commitID = .random()
            changes.put(SessionAttributes(title: "\(number)"), for: id)
            for (index, place) in OrderKey.evenlySpaced(count: 3).enumerated() {
                let tab = TabMetadata(
                    id: TabID(high: 2, low: UInt64(index)), place: place,
                    url: "https://example.org/",
                    title: "\(number)")
                changes.put(tab, in: id)
            }
            return changes
        }
    }
#endif
