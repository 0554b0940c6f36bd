import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines

extension ConformanceSuite {
    @Sendable static func openNothing(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for _ in 1...2 {
            // The second time shows that the first made nothing.
            try await requireError(.notFound, from: "opening where there is no store") {
                _ = try await context.open(location, options: ["create": .bool(false)])
            }
        }
        if context.harness.persistence == .files {
            try require(
                try !FileSystem.exists(location), "opening with 'create' false made a directory")
        }
    }

    @Sendable static func unsafeLocations(_ context: CaseContext) async throws {
        let folder = try await context.makeLocation()
        try FileSystem.makeDirectories("\(folder)/real")
        let letter = [UInt8]("a letter".utf8)
        try Data(letter).write(to: URL(fileURLWithPath: "\(folder)/file"))
        for (name, target) in [("link", "real"), ("dangling", "nothing")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "\(folder)/\(target)")
        }
        let before = try FileSystem.contents(of: folder)
        for name in ["file", "file/below", "link", "link/", "link//", "link/./", "dangling"] {
            try await requireError(.unsafeLocation, from: "opening at '\(name)'") {
                _ = try await context.open("\(folder)/\(name)")
            }
        }
        try requireEqual(
            try FileSystem.contents(of: folder), before, "what is in the folder afterwards")
        try requireEqual(
            try FileSystem.contents(of: "\(folder)/real"), [], "what is where the link leads")
        try require(try FileSystem.read("\(folder)/file") == letter, "the file was changed")
    }

    @Sendable static func cancelledCalls(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let store = try await context.openNew()
        let kept = sampler.window(tabs: 2, kind: .incognito)
        _ = try await store.save(SessionChanges(saving: kept))
        let sample = sampler.window(tabs: 2)
        for call in OrdinaryCall.all(about: sample) where !call.runsIfCancelled {
            try await requireError(.cancelled, from: "\(call.name) of a cancelled task") {
                try await inCancelledTask { try await call.run(store) }
            }
            try requireEqual(
                try await store.sessions(), [kept.id],
                "the sessions after \(call.name) of a cancelled task")
        }
        try await store.close()
    }

    @Sendable static func endsIfCancelled(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        let kept = sampler.window(tabs: 2)
        _ = try await store.save(SessionChanges(saving: kept))
        _ = try await store.save(SessionChanges(saving: sampler.window(tabs: 2, kind: .incognito)))
        try await inCancelledTask { try await store.deleteIncognito() }
        try requireEqual(
            try await store.sessions(), [kept.id],
            "the sessions after delete incognito of a cancelled task")
        try await inCancelledTask { try await store.close() }
        try await requireError(.closed, from: "sessions after close of a cancelled task") {
            _ = try await store.sessions()
        }
        guard context.canReopen else { return }
        let again = try await context.open(location)
        try requireEqual(try await again.sessions(), [kept.id], "the sessions afterwards")
        try await again.close()
    }

    /// Does what a host does at its end.
    private static func inCancelledTask(_ call: @escaping @Sendable () async throws -> Void)
        async throws
    {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await call()
        }
        try await task.value
    }

    @Sendable static func refusedSaves(_ context: CaseContext) async throws {
        var sampler = context.sampler
        for kind in [SessionKind.regular, .incognito] {
            let store = try await context.openNew(options: ["maximumStateBytes": .integer(4096)])
            let first = try await store.save(
                SessionChanges(saving: sampler.window(tabs: 2, kind: kind)))
            let samples = sampler.windows(RefusedChanges.count, tabs: 2, kind: kind)
            for refused in RefusedChanges.all(samples, limit: 4096) {
                let error = try await requireError(refused.code, from: refused.name) {
                    _ = try await store.save(refused.changes)
                }
                try requireEqual(error.effect, .notApplied, "the effect of \(refused.name)")
                try require(
                    try await store.restore(refused.session) == nil,
                    "\(refused.name) was refused and is there in part")
            }
            let next = try await store.save(
                SessionChanges(saving: sampler.window(tabs: 2, kind: kind)))
            try requireEqual(
                next.sequence, first.sequence + 1, "the number of the set after refused ones")
            try await store.close()
        }
    }

    @Sendable static func usableAfterRefusals(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let location = try await context.makeLocation()
        let store = try await context.open(location, options: ["maximumStateBytes": .integer(4096)])
        let samples = sampler.windows(RefusedChanges.count, tabs: 2)
        var saved: [SessionSnapshot] = []
        for refused in RefusedChanges.all(samples, limit: 4096) {
            let sample = sampler.window(tabs: 3)
            _ = try await store.save(SessionChanges(saving: sample))
            saved.append(sample)
            _ = try await storageError(from: refused.name) {
                _ = try await store.save(refused.changes)
            }
            for sample in saved {
                let found = try await requireSuccess("after \(refused.name) restore failed") {
                    try await store.restore(sample.id)
                }
                try requireEqual(
                    found?.tabs.map(\.id), sample.tabs.map(\.metadata.id),
                    "the tabs of an earlier session after \(refused.name)")
            }
        }
        try await store.close()
    }
}
