import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines

extension ConformanceSuite {
    /// Provokes every error that an intact store can report about the sessions.
    private static func provokeErrors(
        _ context: CaseContext, _ canaries: inout ContentCanaries,
        _ look: (StorageError, String) async throws -> Void
    ) async throws {
        let options: [String: OptionValue] = ["maximumStateBytes": .integer(4096)]
        for kind in [SessionKind.regular, .incognito] {
            let location = try await context.makeLocation()
            let store = try await context.open(location, options: options)
            let saved = canaries.session(tabs: 2, kind: kind)
            _ = try await store.save(SessionChanges(saving: saved))
            let samples = (0..<RefusedChanges.count).map { _ in
                canaries.session(tabs: 2, kind: kind)
            }
            for refused in RefusedChanges.all(samples, limit: 4096) {
                let error = try await storageError(from: refused.name) {
                    _ = try await store.save(refused.changes)
                }
                try await look(error, "the error of a save with \(refused.name)")
            }
            for call in OrdinaryCall.all(about: saved) where !call.runsIfCancelled {
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await call.run(store)
                }
                let error = try await storageError(from: call.name) { try await task.value }
                try await look(error, "the error of a cancelled \(call.name)")
            }
            if context.harness.persistence == .files {
                let error = try await storageError(from: "a second opening") {
                    _ = try await context.open(location, options: options)
                }
                try await look(error, "the error of a second opening")
            }
            try await store.close()
            for call in OrdinaryCall.all(about: saved) {
                let error = try await storageError(from: call.name) { try await call.run(store) }
                try await look(error, "the error of \(call.name) after close")
            }
        }
    }

    @Sendable static func errorsOfIntactStore(_ context: CaseContext) async throws {
        var canaries = ContentCanaries(seed: context.seed)
        var errors: [(StorageError, String)] = []
        try await provokeErrors(context, &canaries) { errors.append(($0, $1)) }
        for (error, subject) in errors { try canaries.requireAbsence(in: error, subject) }
    }

    @Sendable static func namedErrors(_ context: CaseContext) async throws {
        var canaries = ContentCanaries(seed: context.seed)
        try await provokeErrors(context, &canaries) { error, subject in
            try require(!error.operation.isEmpty, "\(subject) names no operation")
            if subject.contains("save") {
                try requireEqual(error.operation, "save", "the operation in \(subject)")
            }
            try require(
                error.message.split(separator: " ").count >= 3,
                "the message of \(subject) is no sentence")
            let isNamed = error.location?.isEmpty == false || error.code == .cancelled
            try require(isNamed, "\(subject) names no location")
        }
    }

    /// Damages the store's files at several places, and checks everything reported about it.
    @Sendable static func reportsOfDamage(_ context: CaseContext) async throws {
        for round in 0...4 {
            var canaries = ContentCanaries(seed: context.seed &+ UInt64(round))
            let sample = canaries.session(tabs: 6)
            let location = try await context.makeLocation()
            let store = try await context.open(location)
            _ = try await store.save(SessionChanges(saving: sample))
            try await store.close()
            // The last round checks the reports of a healthy store.
            if round < 4 { try damage(location, round: round) }
            do {
                let again = try await context.open(location)
                for call in OrdinaryCall.all(about: sample) where call.name != "save" {
                    do {
                        try await call.run(again)
                    } catch {
                        try canaries.requireAbsence(in: error, "the error of \(call.name)")
                    }
                }
                let report = try await again.check()
                try canaries.requireAbsence(in: report, "the report about damage")
                let losses = try await again.restore(sample.id)?.losses ?? []
                try canaries.requireAbsence(in: losses, "the losses of a restored session")
                try await again.close()
            } catch let error as StorageError {
                try canaries.requireAbsence(in: error, "the error of opening a damaged store")
            }
        }
    }

    /// Changes about every 1,000th byte of each large file, or cuts the file.
    private static func damage(_ path: String, round: Int) throws {
        for name in try FileSystem.contents(of: path) {
            let file = "\(path)/\(name)"
            guard let status = try FileSystem.status(file) else { continue }
            if status.kind == .directory { try damage(file, round: round) }
            guard status.kind == .file, status.size > 300 else { continue }
            var bytes = try FileSystem.read(file)
            if round == 3 { bytes.removeLast(bytes.count / 3) }
            for index in stride(from: 150 + 97 * round, to: bytes.count, by: 1009) {
                bytes[index] ^= 0x10
            }
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        }
    }
}
