import BrowserSessions
import SessionSamples

/// The cases of CRASH. Each kills a saving process and examines what is left.
extension ConformanceSuite {
    /// Kills after acknowledgments with one durability: nothing acknowledged may be lost.
    static func acknowledgedSurvive(_ durability: String)
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            guard
                Durability(rawValue: durability).map(context.traits.durability.contains) != false
            else { throw NotTried("the store does not know the durability \(durability)") }
            var campaign = try await KillCampaign(context, durability: durability)
            for saves in [1, 4, 13, 2] {
                try await campaign.kill(after: saves, at: .acknowledged)
                try await campaign.checkSets()
            }
        }
    }

    /// Kills during saves of large sets, so that many kills land inside.
    @Sendable static func allOrNothing(_ context: CaseContext) async throws {
        var campaign = try await KillCampaign(context, stateBytes: 200_000)
        while campaign.kills < 4 || (campaign.killsInside < 3 && campaign.kills < 16) {
            try await campaign.kill(after: campaign.generator.integer(in: 0...4), at: .begun)
            try await campaign.checkSets(losingNothing: false)
        }
        context.note("\(campaign.killsInside) of \(campaign.kills) kills hit within a save")
    }

    /// Kills during a fast run of small sets.
    @Sendable static func noLaterWithoutEarlier(_ context: CaseContext) async throws {
        var campaign = try await KillCampaign(context)
        for _ in 1...4 {
            try await campaign.kill(after: campaign.generator.integer(in: 5...25), at: .begun)
            try await campaign.checkSets(losingNothing: false)
        }
    }

    @Sendable static func staysHealthy(_ context: CaseContext) async throws {
        var campaign = try await KillCampaign(context)
        for _ in 1...3 {
            try await campaign.kill(after: campaign.generator.integer(in: 0...9), at: .begun)
            let store = try await campaign.open()
            _ = try await campaign.sets.lastApplied(in: store)
            let report = try await store.check()
            try require(
                report.isHealthy, "a check after a kill found losses: \(report.losses.count)")
            try await store.close()
            try await campaign.checkSets()
        }
    }

    /// Kills processes that open a killed store, then checks that everything is there. The first
    /// may finish, which shows how long an opening takes.
    @Sendable static func interruptedRecovery(_ context: CaseContext) async throws {
        var campaign = try await KillCampaign(context, stateBytes: 20_000)
        try await campaign.kill(after: 30, at: .begun)
        var openingTime: Duration?
        var inside = 0
        for _ in 0...5 {
            let child = try context.startChild(Worker.opener.name, at: campaign.location)
            var lines = [await child.nextLine() ?? ""]
            let beginning = ContinuousClock.now
            if lines == ["opening"] {
                if let openingTime {
                    campaign.passSomeTime(of: openingTime)
                } else {
                    lines.append(await child.nextLine() ?? "")
                    openingTime = .now - beginning
                }
                await child.kill()
            }
            lines += await child.remainingLines()
            if let error = lines.first(where: { $0.hasPrefix("error ") }) {
                throw Violation("opening a store after a kill: \(error)")
            }
            if !lines.contains("opened") { inside += 1 }
        }
        try await campaign.checkSets()
        context.note("\(inside) of 5 kills hit within an opening")
    }

    /// Kills many times without closing in between: the number of kills must not increase files or
    /// bytes.
    @Sendable static func staysBounded(_ context: CaseContext) async throws {
        var campaign = try await KillCampaign(context, stateBytes: 2_000)
        // What is saved must not depend on how late a loaded machine kills.
        campaign.headStart = 1
        let kills = context.amount(80, full: 200)
        while campaign.kills < kills {
            try await campaign.kill(after: campaign.generator.integer(in: 1...3), at: .begun)
            guard campaign.kills.isMultiple(of: 20) else { continue }
            try await requireBounded(campaign, logs: 16 << 20, "after")
        }
        for _ in 1...2 { try await campaign.checkSets() }
        let closed = try await requireBounded(campaign, logs: 1 << 20, "closed after")
        context.note(
            "\(campaign.kills) kills, \(campaign.killsInside) of them within a save, leave "
                + "\(closed.files.count) files with \(closed.bytes) bytes")
    }

    /// Compares a store with one that has the same content and was always closed. It may have three times
    /// the bytes, what logs may grow to, and 64 more files: each of ten restore points may need some.
    @discardableResult
    private static func requireBounded(
        _ campaign: KillCampaign, logs: Int, _ moment: String
    ) async throws -> LocationFiles {
        let found = try LocationFiles(campaign.location)
        let expected = try await campaign.footprintOfClosedStore()
        try require(
            found.files.count <= expected.files.count + 64,
            """
            files pile up: \(found.files.count) \(moment) \(campaign.kills) kills, \
            \(expected.files.count) in a store that was closed
            """)
        try require(
            found.bytes <= 3 * expected.bytes + logs,
            """
            bytes pile up: \(found.bytes) \(moment) \(campaign.kills) kills, \
            \(expected.bytes) in a store that was closed
            """)
        return found
    }
}
