import BrowserSessions
import StorageEngines

extension FaultyBackend {
    /// Makes a store that behaves differently as soon as it has losses.
    static func onDamage(
        _ name: String, _ message: String,
        _ then:
            @escaping @Sendable (OrderedSessionStorage, StorageConfiguration) throws
            -> any SessionStorage
    ) -> FaultyBackend {
        FaultyBackend(
            name, says: message,
            opening: { configuration in
                let base = try OrderedSessionStorage(
                    opening: configuration, engine: ReferenceEngine())
                guard try base.checkBlocking().losses.isEmpty else {
                    return try then(base, configuration)
                }
                return base
            })
    }
}
extension SessionStorage {
    /// Reports that everything is well.
    func swallowingLosses() -> AlteredStorage {
        reporting { $0.losses = [] }
            .refused(SessionsRequest.self, for: StorageError.Code.allCases) { _, _, _ in [] }
            .refused(StatesRequest.self, for: StorageError.Code.allCases) { _, _, _ in [:] }
            .on(RestoreRequest.self) { restore, store in
                var found = (try? await restore.perform(on: store)) ?? []
                for index in found.indices {
                    (found[index].losses, found[index].provenance) = ([], .intact)
                }
                return found
            }
    }

    /// Keeps the titles of tabs in files without checksums.
    func keepingTitles(in folder: String) -> AlteredStorage {
        after(SaveRequest.self) { save, _ in
            for case .put(.tab(let tab, let session)) in save.changes.changes
            where session.partition == .regular {
                try FileSystem.makeDirectories(folder)
                try FileSystem.replace("\(folder)/\(tab.id)", with: Array(tab.title.utf8))
            }
        }.restoring { session in
            for index in session.tabs.indices {
                let file = "\(folder)/\(session.tabs[index].id)"
                guard let title = try? FileSystem.read(file) else { continue }
                session.tabs[index].title = String(decoding: title, as: UTF8.self)
            }
        }
    }
}
