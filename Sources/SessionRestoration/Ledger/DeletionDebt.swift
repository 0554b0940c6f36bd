import BrowserModel
import BrowserSessions
import Logging

/// Whether the off-the-record side is to be deleted and was not yet: a deletion that failed, or hangs, is
/// owed until it succeeds, in this process or the next.
final class DeletionDebt {
    private(set) var isOwed = false
    /// Told when a deletion is owed, or not any more.
    var didChange: () -> Void = {}
    /// Told when an owed deletion may be tried again.
    var isDue: () async -> Void = {}
    private var isDeleting = false
    private var timer: HostTimer?
    private let door: StorageDoor
    private let side: SideLedger
    private let work: HostWork
    private let wait: Duration

    /// - Parameter wait: how long a deletion that failed waits for the next try.
    init(_ door: StorageDoor, _ side: SideLedger, _ work: HostWork, wait: Duration) {
        self.door = door
        self.side = side
        self.work = work
        self.wait = wait
    }

    /// Deletes the whole side. What is marked while it runs is saved anew when it has ended.
    ///
    /// When it throws it is owed, and what was removed from the side until then waits to be sent.
    func delete(_ markAnew: () -> Void) async throws(StorageError) {
        become(true)
        isDeleting = true
        defer { isDeleting = false }
        try await door.inTurnAgainIfReplaced(.incognito) { () throws(StorageError) in
            try await door.ask("delete incognito", changing: .incognito) {
                storage throws(StorageError) in
                try await storage.deleteIncognito()
            }
            side.forgetAll()
            markAnew()
        }
        become(false)
    }

    /// What the process before has left undone.
    func inherit(_ isOwed: Bool) { self.isOwed = isOwed }

    /// All that waits was sent: if that removed, record by record, what was to be deleted, it is paid, and
    /// what is there now must stay.
    func payIfSent() { if isOwed, !side.hasSomethingToSend, !isDeleting { isOwed = false } }

    func retry() { retry(after: wait) }

    /// Another storage took the place of the one that owes it.
    func storageWasReplaced() { if isOwed { retry(after: .zero) } }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func retry(after wait: Duration) {
        stop()
        weak let debt = self
        timer = work.after(wait) { await debt?.isDue() }
    }

    private func become(_ isOwed: Bool) {
        guard isOwed != self.isOwed else { return }
        self.isOwed = isOwed
        didChange()
    }
}
