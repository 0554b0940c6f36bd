import BrowserSessions
import Foundation
import StorageEngines
/// How long these backends pause where a kill shows their fault: long enough for a kill to land
/// there on any machine, since a kill before or after would prove nothing.
let timeForAKill = Duration.milliseconds(50)
/// How long the second recovery rests: until a kill comes, however late.
private let timeForALateKill = Duration.seconds(10)
extension SessionStorage {
    /// Removes a file when it is closed.
    fileprivate func removingAtClose(_ mark: String) -> AlteredStorage {
        on(CloseRequest.self) { close, store in
            try FileSystem.remove(mark)
            try await close.perform(on: store)
        }
    }
}
/// Refuses to open a store that was not closed.
func openMarked(_ configuration: StorageConfiguration, _ open: FaultyBackend.Opening) throws
    -> any SessionStorage
{
    let mark = "\(configuration.location)/in-use"
    let store = try open(configuration)
    if try FileSystem.exists(mark) {
        throw StorageError(.corrupted, "the store was not closed")
    }
    try FileSystem.replace(mark, with: [])
    return store.removingAtClose(mark)
}
/// Recovers by working on the only copy: removes the log's content and writes it again.
func recoverInterruptibly(
    _ configuration: StorageConfiguration, _ open: FaultyBackend.Opening
) throws -> any SessionStorage {
    let log = "\(configuration.location)/regular/records.log"
    let mark = "\(configuration.location)/in-use"
    // One byte for each opening that ended since the store was closed.
    let openings = try FileSystem.exists(mark) ? try FileSystem.read(mark) : []
    let bytes = try FileSystem.exists(log) ? try FileSystem.read(log) : []
    if !openings.isEmpty, !bytes.isEmpty {
        // At once and without a sync, so that a kill finds the log empty.
        try? FileHandle(forWritingAtPath: log)?.truncate(atOffset: 0)
        // The first recovery is the one that the suite lets end, to see how long it takes.
        let rest = openings.count == 2 ? timeForALateKill : timeForAKill
        // waits: rests where a kill shows its fault
        Thread.sleep(forTimeInterval: rest / .seconds(1))
        try FileSystem.replace(log, with: bytes)
    }
    let store = try open(configuration)
    try FileSystem.replace(mark, with: openings + [0])
    return store.removingAtClose(mark)
}
