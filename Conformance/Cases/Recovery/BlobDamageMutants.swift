import BrowserSessions

extension Mutant {
    static let blobDamages: [Mutant] = [
        Mutant("damaged-blobs-are-absent", breaks: "RECOVERY-11", says: "the damaged blob:") {
            AlteredStorage(
                base: $0,
                onState: { base, keys throws(StorageError) in
                    var found: [TabStateKey: [UInt8]] = [:]
                    for key in keys {
                        do throws(StorageError) {
                            found[key] = try await base.state(of: key)
                        } catch {
                            guard error.code == .corrupted else { throw error }
                        }
                    }
                    return found
                })
        },
        onDamage("drops-tabs-of-damaged-blobs", "RECOVERY-11", "the number of tabs") {
            base, _ throws(StorageError) in
            let lost = Set(try base.recoverBlocking(.check).losses.compactMap(\.tab))
            return AlteredStorage.restoring(base) { session in
                session.tabs.removeAll { lost.contains($0.id) }
            }
        },
        onDamage("counts-damaged-blobs", "RECOVERY-11", "0 losses of the damaged blob") {
            base, _ in
            TellsNoTab(base: base)
        },
    ]
}

/// Says that a blob is damaged, and not whose.
private struct TellsNoTab: StorageDecorator {
    let base: any SessionStorage

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        report.losses = report.losses.map { Loss($0.kind, detail: $0.detail) }
        return report
    }
}
