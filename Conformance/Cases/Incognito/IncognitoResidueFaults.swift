import BrowserSessions
import Foundation
import StorageEngines

extension SessionStorage {
    /// Claims a key that no file has.
    func claimingSealed() -> AlteredStorage {
        claiming { traits in
            traits.incognitoErasure = .sealed
            traits.incognitoSealing = StorageTraits.Sealing(
                cipher: "AES-256-GCM", keyStore: "memory", survives: .memory,
                keyLiesInStore: false)
        }
    }
}
extension FaultyBackend {
    /// Makes a store that appends saved titles to a file of its own.
    static func leaving(
        _ name: String, _ message: String, both: Bool = false,
        _ rest: @escaping @Sendable (String) -> (file: String, bytes: [UInt8])
    ) -> FaultyBackend {
        FaultyBackend(
            name, says: message,
            opening: { configuration in
                let location = configuration.location
                return try ReferenceEngine.open(configuration).saving {
                    for case .put(.session(let id, let attributes)) in $0.changes
                    where both || id.partition == .incognito {
                        let (file, bytes) = rest(attributes.title)
                        let flags = O_WRONLY | O_CREAT | O_APPEND
                        if let output = try? PosixFile(opening: "\(location)/\(file)", flags: flags)
                        {
                            try? output.write(bytes)
                        }
                    }
                }
            })
    }
}
