import BrowserSessions
import Foundation
import SessionSamples

/// The cases that kill a process.
enum IncognitoKillCases {
    /// Regular and incognito sessions of a seed.
    fileprivate static func sessions(_ seed: UInt64) -> [SessionSnapshot] {
        var sampler = SessionSampler(seed: seed)
        let regular = sampler.windows(2, tabs: 6, state: .blobs(50...300))
        return regular
            + sampler.windows(6, tabs: 4, kind: .incognito, state: .blobs(500...3000))
    }

    @Sendable static func survival(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let child = try context.startChild("incognito-save", at: location)
        let line = await child.nextLine()
        child.send(SIGKILL)
        _ = await child.end()
        guard line == "saved" else {
            throw Violation("a process could not save: \(line ?? child.errorTail)")
        }
        let store = try await context.open(location)
        let content = try await StoreContent.read(store)
        try require(
            content == StoreContent(sessions(context.seed)),
            "what was saved before the kill is not what is there after it")
        try await store.close()
    }

    @Sendable static func killedDeletion(_ context: CaseContext) async throws {
        var generator = context.generator
        let all = sessions(context.seed)
        let regular = all.filter { $0.id.partition == .regular }
        var whole = 0
        // The last comes when the deletion reports that it is done, or has ended its process.
        for limit in [0, 300, 1000, 3000, nil] {
            let location = try await context.makeLocation()
            var store = try await context.open(location)
            for session in all { _ = try await store.save(session.creation) }
            try await store.close()
            let child = try context.startChild("incognito-delete", at: location)
            guard await child.nextLine() == "deleting" else {
                throw Violation("a process could not open the store: \(child.errorTail)")
            }
            if let limit {
                // waits: the moment of a kill is what is tried; nothing depends on it being exact
                try await Task.sleep(for: .microseconds(generator.integer(in: 0...limit)))
            } else {
                _ = await child.nextLine()
            }
            child.send(SIGKILL)
            _ = await child.end()
            store = try await context.open(location)
            let content = try await StoreContent.read(store)
            let isWhole = content == StoreContent(all)
            whole += isWhole ? 1 : 0
            try require(
                isWhole || content == StoreContent(regular),
                "after a deletion that was killed \(content.sessions.count) of \(all.count) "
                    + "sessions are listed: neither all nor the \(regular.count) regular ones, "
                    + "or not as they were saved")
            try await store.close()
        }
        context.note("of 5 deletions that were killed \(whole) had not begun")
    }
}

extension Worker {
    static let incognito: [Worker] = [
        incognitoUser,
        Worker(name: "incognito-save") { order, harness in
            let store = try await harness.open(StorageConfiguration(location: order.location))
            for session in IncognitoKillCases.sessions(order.seed) {
                _ = try await store.save(session.creation, durability: .processCrash)
            }
            ConformanceChild.report("saved")
            try await waitForKill()
        },
        Worker(name: "incognito-delete") { order, harness in
            let store = try await harness.open(StorageConfiguration(location: order.location))
            ConformanceChild.report("deleting")
            try await store.deleteIncognito()
            ConformanceChild.report("deleted")
            try await waitForKill()
        },
    ]

    /// Does nothing until the parent kills this process, or ends itself.
    private static func waitForKill() async throws {
        // waits: a child lives until it is killed
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
