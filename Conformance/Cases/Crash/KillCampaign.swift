import BrowserSessions
import ChildProcesses
import Foundation
import SessionSamples

/// Kills a saving process, again and again, and checks what is left.
struct KillCampaign: Sendable {
    var context: CaseContext
    var location: String
    var sets = NumberedSets()
    /// `processCrash`, `powerLoss` or `both`, one after the other.
    var durability = "both"
    /// The number of sets that a process may save before it learns that it should be dead. Without
    /// a bound, a fast one would save thousands before the kill comes.
    var headStart = 20
    var generator: SeededGenerator
    /// The last sets that the process reported as begun and as saved.
    private(set) var lastBegun = 0
    private(set) var lastAcknowledged = 0
    private(set) var kills = 0
    /// The number of kills between the beginning of a save and its acknowledgment.
    private(set) var killsInside = 0
    /// When the process reported the beginning of its save, and the longest save so far.
    private var beginning = ContinuousClock.now
    private var longestSave = Duration.milliseconds(1)

    init(_ context: CaseContext, stateBytes: Int = 200, durability: String = "both") async throws {
        self.context = context
        location = try await context.makeLocation()
        sets.stateBytes = stateBytes
        self.durability = durability
        generator = context.generator
    }

    /// The moment of a save at which the process is killed.
    enum Moment { case acknowledged, begun }

    /// Makes a process open the store, check it, and save, and kills it at the moment after `count`
    /// saves.
    mutating func kill(after count: Int, at moment: Moment) async throws {
        let child = try context.startChild(
            Worker.saver.name, at: location,
            options: [
                "bytes": "\(sets.stateBytes)", "durability": durability,
                "sets": "\(count + headStart)",
            ])
        var awaited = ""
        var isKilled = false
        while let line = await child.nextLine() {
            if let first = try note(line) {
                awaited =
                    moment == .begun
                    ? "begin \(first + count)" : "saved \(first + max(count, 1) - 1)"
            }
            if line == awaited, !isKilled {
                isKilled = true
                if moment == .begun { passSomeTime(of: longestSave) }
                child.send(SIGKILL)
            }
        }
        let end = await child.end()
        guard isKilled, end == .signal(SIGKILL) else {
            throw Violation("the saving process \(end) by itself: \(child.errorTail)")
        }
        kills += 1
        if lastBegun > lastAcknowledged { killsInside += 1 }
    }

    /// Records what the process reports; returns the number of its first set when it reports the
    /// sets that it found.
    private mutating func note(_ line: String) throws -> Int? {
        if line.hasPrefix("error ") { throw Violation("a process after \(kills) kills: \(line)") }
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int(words[1]) else { return nil }
        switch words[0] {
        case "found":
            try goOn(from: number, losingNothing: true)
            return number + 1
        case "begin":
            lastBegun = number
            beginning = .now
        case "saved":
            lastAcknowledged = number
            longestSave = max(longestSave, .now - beginning)
        default: break
        }
        return nil
    }

    /// Lets the process continue for a moment with a length that the seed decides: some
    /// microseconds, or a part of the time that its work needs.
    mutating func passSomeTime(of whole: Duration) {
        let longest = generator.pick([.microseconds(50), .microseconds(200), whole, whole])
        let end = ContinuousClock.now + longest * generator.integer(in: 0...1000) / 1000
        // waits: the moment of the kill is what is tried; a sleep is too coarse
        while ContinuousClock.now < end {}
    }

    /// Opens the store after a kill.
    func open() async throws -> any SessionStorage {
        do {
            return try await context.open(location)
        } catch {
            throw Violation("the store cannot be opened after \(kills) kills: \(error)")
        }
    }

    /// Checks that exactly the sets up to one are there, and continues after that one.
    mutating func checkSets(losingNothing: Bool = true) async throws {
        let store = try await open()
        let last = try await sets.lastApplied(in: store)
        try await store.close()
        try goOn(from: last, losingNothing: losingNothing)
    }

    private mutating func goOn(from last: Int, losingNothing: Bool) throws {
        if losingNothing {
            try require(
                last >= lastAcknowledged,
                "save \(lastAcknowledged) was acknowledged before kill \(kills), \(last) is there")
        }
        try require(
            last <= max(lastBegun, lastAcknowledged),
            "set \(last) is there, and only \(lastBegun) were begun")
        lastAcknowledged = last
        lastBegun = last
    }

    /// Makes the sets in another store, closes it properly, and returns its files.
    func footprintOfClosedStore() async throws -> LocationFiles {
        let other = try await context.makeLocation()
        let store = try await context.open(other)
        for number in max(1, lastAcknowledged - 2 * NumberedSets.ring)...lastAcknowledged {
            _ = try await store.save(sets.changes(number))
        }
        try await store.close()
        return try LocationFiles(other)
    }
}

extension Worker {
    static let crash: [Worker] = [saver, opener]

    /// Checks the existing numbered sets and saves more until it is killed; reports each step.
    static let saver = Worker(name: "crash.saver") { order, harness in
        let store = try await harness.open(StorageConfiguration(location: order.location))
        let sets = NumberedSets(stateBytes: order.options["bytes"].flatMap { Int($0) } ?? 200)
        var number = try await sets.lastApplied(in: store)
        ConformanceChild.report("found \(number)")
        let levels: [Durability] =
            order.options["durability"].flatMap(Durability.init(rawValue:)).map { [$0] }
            ?? [.processCrash, .powerLoss].filter(store.traits.durability.contains)
        for _ in 0..<(order.options["sets"].flatMap { Int($0) } ?? 1) {
            number += 1
            let changes = sets.changes(number)
            ConformanceChild.report("begin \(number)")
            _ = try await store.save(changes, durability: levels[number % levels.count])
            ConformanceChild.report("saved \(number)")
        }
        // waits: a child lives until it is killed
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// Opens the store, reports it, and waits to be killed.
    static let opener = Worker(name: "crash.opener") { order, harness in
        ConformanceChild.report("opening")
        let store = try await harness.open(StorageConfiguration(location: order.location))
        ConformanceChild.report("opened")
        // waits: a child lives until it is killed
        try await Task.sleep(for: .seconds(3600))
        try await store.close()
    }
}
