import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import SessionSamples

/// A command that measures how a server handles several clients at once, each with its own store.
struct ClientsCommand: BenchCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Measures saves of many clients at once, each with a store of its own.",
        discussion: """
            Each client saves the metadata of one tab after another, durably. The stores named are measured by \
            turns, twice each; libpq:// is a bare client of a PostgreSQL server, to compare with.
            """)

    @Option(parsing: .singleValue, help: "A backend and where its stores are made, as a URL.")
    var storage: [String] = []

    @Option(parsing: .singleValue, help: "How many clients, separated by commas: 8,32.")
    var clients: [WordList] = []

    @Option(help: "For how many seconds each is measured, twice.")
    var seconds = 5.0

    func validate() throws {
        guard !storage.isEmpty else { throw ValidationError("--storage: name a store at least") }
        guard (0.1...3600).contains(seconds) else {
            throw ValidationError("--seconds: a number from 0.1 to 3600 is needed")
        }
    }

    private var counts: [Int] {
        get throws {
            let words = clients.words
            return try (words.isEmpty ? ["8", "32"] : words).map { word in
                guard let count = Int(word), (1...1000).contains(count) else {
                    throw ValidationError("--clients: '\(word)' is no number from 1 to 1000")
                }
                return count
            }
        }
    }

    func run(_ context: BenchContext) async throws -> Int32 {
        let contestants = try storage.map { url throws(StorageError) in
            try context.contestants.contestant(url: url)
        }
        var rows = [["clients", "backend", "saves/s", "p50 ms", "p99 ms"]]
        for count in try counts {
            var times = [[Int]](repeating: [], count: contestants.count)
            for turn in 0..<2 * contestants.count {
                let place = turn % contestants.count
                times[place] += try await ClientCrowd(
                    contestants[place], count: count, number: turn
                ).save(for: .seconds(seconds))
            }
            for (contestant, times) in zip(contestants, times) {
                let found = Distribution(nanoseconds: times).percentiles
                rows.append([
                    "\(count)", contestant.name.label,
                    "\(Int(Double(times.count) / (2 * seconds)))", Self.milliseconds(found.p50),
                    Self.milliseconds(found.p99),
                ])
            }
        }
        let widths = rows[0].indices.map { column in rows.map(\.[column].count).max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            try Console.result(cells.joined(separator: "  ") + "\n")
        }
        return 0
    }

    private static func milliseconds(_ microseconds: Double) -> String {
        (microseconds / 1000).formatted(.number.precision(.fractionLength(2)))
    }
}

/// A group of clients that save at the same time, each on its own thread.
private struct ClientCrowd {
    private let contestant: Contestant
    private let locations: [String]

    init(_ contestant: Contestant, count: Int, number: Int) {
        self.contestant = contestant
        let base = contestant.location ?? ""
        locations = (0..<count).map { client in
            "\(base)/\(WorkFolder.prefix)\(getpid())-\(number)-\(client)"
        }
    }

    /// Returns the duration of each save in nanoseconds.
    func save(for time: Duration) async throws -> [Int] {
        var stores: [any SessionStorage] = []
        do {
            for location in locations { stores.append(try contestant.open(location)) }
            let times = try await Self.save(to: stores, for: time)
            try await remove(stores)
            return times
        } catch {
            try? await remove(stores)
            throw error
        }
    }

    private func remove(_ stores: [any SessionStorage]) async throws(StorageError) {
        for (store, location) in zip(stores, locations) {
            try await store.close()
            try await contestant.remove(location)
        }
    }

    private static func save(to stores: [any SessionStorage], for time: Duration) async throws
        -> [Int]
    {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for (place, store) in stores.enumerated() {
                group.addTask(executorPreference: OwnThread()) {
                    try await save(MeasuredStore(store), UInt64(place), until: .now + time)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func save(
        _ store: MeasuredStore, _ seed: UInt64, until end: ContinuousClock.Instant
    ) async throws -> [Int] {
        var sampler = SessionSampler(seed: seed)
        let window = SceneWindow(sampler.window(tabs: 10))
        try await store.save(window.changes, .powerLoss)
        var times: [Int] = []
        var tab = window.tabs[0]
        // waits: each turn is a save
        while ContinuousClock.now < end {
            tab.title = "Title \(times.count)"
            var changes = SessionChanges()
            changes.put(tab, in: window.id)
            let began = ContinuousClock.now
            try await store.save(changes, .powerLoss)
            times.append(Int((ContinuousClock.now - began) / .nanoseconds(1)))
        }
        return times
    }
}

/// An executor that runs a task on its own thread, which the task may block.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "storagebench.client")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
