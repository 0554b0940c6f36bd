package import BackendSelection
package import BrowserSessions
import CommandLineSupport
import Foundation

extension ResolvedSelection {
    /// Opens the store for a purpose. If another process has it open, throws `locked`.
    package func open(to purpose: StorePurpose) async throws(StorageError) -> any SessionStorage {
        var configuration = configuration
        configuration.options.merge(purpose.options) { $1 }
        return try await backend.open(configuration)
    }

    /// Opens the store. If it is only to be looked at and another process has it open, opens a reader
    /// beside that, and says on standard error as of when it shows the store.
    ///
    /// A backend without readers, and a store that is to be changed, throw `locked`.
    ///
    /// - Parameter purpose: the purpose for which the store is opened; `nil` if that is among its options.
    package func openBesideOwner(to purpose: StorePurpose? = nil) async throws(StorageError)
        -> any SessionStorage
    {
        var configuration = configuration
        configuration.options.merge(purpose?.options ?? [:]) { $1 }
        do throws(StorageError) { return try await backend.open(configuration) } catch {
            guard error.code == .locked, configuration.access == .readOnly else { throw error }
            let reader: StoreReader
            do throws(StorageError) {
                reader = try await backend.openReader(configuration)
            } catch let refusal {
                throw refusal.code == .unsupported ? error : refusal
            }
            Console.message(
                """
                as of \(reader.asOf.inUTC), change set \(reader.sequence): the store is in use, so it is read \
                beside its owner, without incognito tabs
                """)
            return reader
        }
    }
}

extension SessionStorage {
    /// Throws if the store is read beside its owner, which shows no incognito session, though the command
    /// is about those.
    package func requireIncognito(_ operation: String) throws(StorageError) {
        guard self is StoreReader else { return }
        throw StorageError(
            .locked,
            """
            the store is in use, and a look beside its owner shows no incognito tabs; close it there, or             ask there
            """, operation: operation)
    }
}

extension Timestamp {
    /// The time to the second, such as `2026-11-27 21:06:32 UTC`.
    package var inUTC: String {
        let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
        return date.formatted(style).replacing("Z", with: " UTC")
    }
}
