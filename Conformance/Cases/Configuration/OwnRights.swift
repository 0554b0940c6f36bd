import BrowserSessions
import SessionSamples
import StorageEngines

/// CONFIGURATION-15: the rights of what is in a store.
enum OwnRights {
    @Sendable static func areGiven(_ context: CaseContext) async throws {
        let used = try await UsedStore(context)
        try await context.withStore(at: used.location) { store in
            var sampler = context.sampler
            for kind in [SessionKind.regular, .incognito] {
                let window = sampler.window(tabs: 20, kind: kind, state: .blobs(5000...50_000))
                _ = try await store.save(window.creation)
            }
            try require(at: used.location)
        }
        try await DamageTrial.each(.overwrite, context) { try require(at: $0.location) }
    }

    private static func require(at location: String) throws {
        for path in try [location]
            + LocationFiles(location).entries.keys.map({ "\(location)/\($0)" })
        {
            guard let status = try FileSystem.status(path) else { continue }
            try StorageConformance.require(
                status.permissions == (status.kind == .directory ? 0o700 : 0o600),
                "'\(path)' has the rights \(String(status.permissions, radix: 8))")
        }
    }
}
