import BrowserSessions
import Foundation
import SessionSamples

/// The cases about successive owners of a store.
enum FenceCases {
    // MARK: - One owner at a time

    @Sendable static func held(_ context: CaseContext) async throws {
        let sets = NumberedSets()
        let location = try await context.makeLocation()
        let first = try await context.open(location)
        try await requireHeld(context, location, "opening a store that another owner has")
        try await context.saveLastingly(sets.changes(1), in: first)
        let second = try await context.succeed(at: location)
        try await requireHeld(context, location, "opening a store that was taken over")
        try await context.saveLastingly(sets.changes(2), in: second)
        try? await first.close()
        try await second.close()
    }

    private static func requireHeld(
        _ context: CaseContext, _ location: String, _ subject: String
    ) async throws {
        for _ in 1...2 {
            let error = try await requireError(.locked, from: subject) {
                try await context.open(location).close()
            }
            let holder = ProcessInfo.processInfo.processIdentifier
            try require(
                error.message.contains("\(holder)"),
                "\(subject): the message does not name the process that has it")
        }
    }

    // MARK: - What the next owner finds

    @Sendable static func acknowledgedSaves(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let location = try await context.makeLocation()
        let old = try await context.open(location)
        var kept: [SessionSnapshot] = []
        for level in context.lastingLevels {
            var saved = [sampler.window(tabs: 5, state: .blobs(100...2000))]
            if context.keepsIncognitoOfOthers {
                saved.append(sampler.window(tabs: 3, kind: .incognito, state: .blobs(100...900)))
            }
            let removed = sampler.window(tabs: 2, state: .blobs(100...900))
            for session in saved + [removed] {
                _ = try await old.save(session.creation, durability: level)
            }
            var removal = SessionChanges()
            removal.remove(removed.id)
            _ = try await old.save(removal, durability: level)
            kept += saved
        }
        let new = try await context.succeed(at: location)
        try await requireContent(kept, in: new, "after a takeover")
        try? await old.close()
        let again = try await context.reopen(new, at: location)
        try await requireContent(kept, in: again, "at the next opening after a takeover")
        try await again.close()
    }

    private static func requireContent(
        _ sessions: [SessionSnapshot], in store: any SessionStorage, _ moment: String
    ) async throws {
        let expected = StoreContent(sessions)
        let found = try await requireSuccess("\(moment): reading threw") {
            try await StoreContent.read(store)
        }
        let missing = expected.sessions.keys.filter { found.sessions[$0] == nil }
        for partition in StoragePartition.allCases
        where missing.contains(where: { $0.partition == partition }) {
            throw Violation("\(moment): a session of the \(partition.rawValue) partition is gone")
        }
        try require(
            found == expected,
            "\(moment): sessions, tabs or state are not what was acknowledged")
    }

    @Sendable static func manyOwners(_ context: CaseContext) async throws {
        let sets = NumberedSets(wanders: true)
        var generator = context.generator
        let location = try await context.makeLocation()
        var owner = try await context.open(location)
        var replaced: [any SessionStorage] = []
        var last = 0
        let rounds = context.amount(6, full: 20)
        for round in 1...rounds {
            for _ in 1...generator.integer(in: 1...4) {
                last += 1
                try await context.saveLastingly(sets.changes(last), in: owner)
            }
            replaced.append(owner)
            owner = try await context.succeed(at: location)
            try await requireSets(sets, upTo: last, in: owner, "after \(round) takeovers")
        }
        for old in replaced { try? await old.close() }
        owner = try await context.reopen(owner, at: location)
        try await requireSets(sets, upTo: last, in: owner, "when the replaced owners have closed")
        try await owner.close()
    }

    private static func requireSets(
        _ sets: NumberedSets, upTo last: Int, in store: any SessionStorage, _ moment: String
    ) async throws {
        try await requireSuccess(moment) {
            try requireEqual(try await sets.lastApplied(in: store), last, "the last set")
        }
    }

    // MARK: - What a replaced owner gets

    /// Tries each call as the first one of an owner that does not know yet that it was replaced,
    /// and again after all others.
    @Sendable static func everyCall(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let kept = sampler.window(tabs: 4, state: .blobs(100...600))
        let late = [SessionKind.regular, .incognito].map {
            sampler.window(tabs: 3, kind: $0, state: .blobs(100...600))
        }
        let location = try await context.makeLocation()
        var owner = try await context.open(location)
        try await context.saveLastingly(kept.creation, in: owner)
        for sample in [kept] + late {
            let calls = OrdinaryCall.all(about: sample)
            for first in calls {
                let new = try await context.succeed(at: location)
                for call in [first] + calls {
                    try await requireError(.fenced, from: "\(call.name) of a replaced owner") {
                        try await call.run(owner)
                    }
                }
                try await requireContent([kept], in: new, "after every call of a replaced owner")
                try? await owner.close()
                owner = new
            }
        }
        owner = try await context.reopen(owner, at: location)
        try await requireContent([kept], in: owner, "at an opening after calls of replaced owners")
        try await owner.close()
    }

    @Sendable static func close(_ context: CaseContext) async throws {
        let sets = NumberedSets()
        for asksFirst in [false, true] {
            let location = try await context.makeLocation()
            let old = try await context.open(location)
            try await context.saveLastingly(sets.changes(1), in: old)
            let new = try await context.succeed(at: location)
            if asksFirst { _ = try? await old.sessions() }
            do {
                try await old.close()
            } catch {
                try requireEqual(error.code, .fenced, "the error of close of a replaced owner")
            }
            try await requireError(.locked, from: "opening, after a replaced owner has closed") {
                try await context.open(location).close()
            }
            try await context.saveLastingly(sets.changes(2), in: new)
            let again = try await context.reopen(new, at: location)
            try await requireSets(sets, upTo: 2, in: again, "after a replaced owner has closed")
            try await again.close()
        }
    }
}
