package import BackendSelection
package import BrowserSessions
import CommandLineSupport
import Foundation

extension ResolvedSelection {
    /// Opens the store. If it is only to be looked at and another process has it open, opens a reader
    /// beside that, and says on standard error as of when it shows the store.
    ///
    /// A backend without readers, and a store that is to be changed, throw `locked`.
    package func openBesideOwner() async throws(StorageError) -> any SessionStorage {
        do throws(StorageError) { return try await open() } catch {
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
                beside its owner, without tabs off the record
                """)
            return reader
        }
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
