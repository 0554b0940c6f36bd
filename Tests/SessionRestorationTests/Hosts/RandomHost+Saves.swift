import BrowserModel
import BrowserSessions
import SessionTesting

@testable import SessionRestoration

/// Saves, and stores that are hurt.
extension RandomHost {
    private var errors: [StorageError] {
        [
            StorageError(.failed, "input/output error"),
            StorageError(.outOfSpace, "the disk is full"),
            StorageError(.unavailable, "come back later"),
        ]
    }

    private var noAnswer: StorageError {
        StorageError(.failed, "no answer", effect: .indeterminate)
    }

    /// Saves and waits for it. Everything is acknowledged if it succeeds.
    @discardableResult
    func save() async throws -> Bool {
        let numbers = timelines.mapValues(\.last)
        do throws(SessionRestorationError) {
            try await restorer.save()
        } catch {
            note("saving failed")
            return false
        }
        note("saved")
        for (partition, number) in numbers { timelines[partition]?.acknowledge(number) }
        return true
    }

    /// Saves, and looks whether that is true.
    func saveAndCheck() async throws {
        guard try await save() else { return }
        try await finishSaves()
        guard storage.hangingCalls.isEmpty else { return }
        // What others saved meanwhile may not be durable yet.
        if try await save() { try await checkFeed() }
        let unsaved = Set(restorer.unsavedTabs.keys)
        let must = windows.windows.flatMap(\.tabs.tabs).filter { isTooLarge($0) }.map(\.id)
        guard unsaved.isSuperset(of: must), unsaved.isSubset(of: refused) else {
            throw fail("unsaved are \(unsaved), of \(refused) at least \(must)")
        }
        guard restorer.isSaved || !refused.isEmpty else {
            throw fail("nothing waits, yet it is not saved")
        }
    }

    func wait() async throws {
        let time: Duration = chance(5) ? .seconds(61) : restorer.policy.saveDelay
        note("wait \(time)")
        host.clock.advance(by: time)
        try await finishSaves()
    }

    func hurt() {
        let calls: FaultyStorage.ComingCalls = pick([.next, .first(2), .nth(2), .nth(3)]) ?? .next
        if chance(2), let error = pick(errors) {
            note("a save will fail: \(error.code)")
            storage.fail(.save, with: error, on: calls)
        } else {
            note("a save will not be answered")
            storage.failAfterwards(.save, with: noAnswer, on: calls)
        }
    }

    func hurtDeletion() {
        guard let error = pick(errors) else { return }
        note("deleting will fail")
        if chance(2) {
            storage.fail(.deleteIncognito, with: error, on: .first(number(1..<3)))
        } else {
            storage.failAfterwards(.deleteIncognito, with: noAnswer)
        }
        if chance(2) { closePrivateTabs() }
    }

    func closePrivateTabs() {
        note("close all private tabs")
        for window in partition(true) {
            willClose(window.tabs.tabs, in: window, .user)
            window.tabs.closeAll(reason: .user)
        }
    }

    func deletePrivate() async throws {
        note("delete everything in incognito")
        for key in detachedTabs where key.tab.isIncognito == true {
            key.tab.close()
        }
        detachedTabs.removeAll { $0.tab.isIncognito == true }
        for window in partition(true) {
            refused.subtract(window.tabs.tabs.map(\.id))
            try windows.close(window)
        }
        try look()
        try? await restorer.incognito.delete()
    }

    // MARK: Hanging

    /// A save hangs while the user goes on.
    func hang() async throws -> End {
        storage.forgetFaults()
        if partition(false).isEmpty { try openWindow(.regular) }
        if !partition(true).isEmpty, chance(3) {
            try look()
            try await save()
            try await finishSaves()
            pick(partition(true))?.title = name()
        } else {
            pick(partition(false))?.title = name()
        }
        try look()
        storage.forgetCalls()
        storage.hang(.save)
        note("a save hangs")
        let restorer = restorer
        let saving = Task { try? await restorer.save() }
        await storage.waitForCalls(of: .save)
        return try await goOn { await saving.value }
    }

    /// The deletion of the private tabs hangs while the user goes on.
    func hangDeletion() async throws -> End {
        let isDue =
            partition(true).contains { !$0.tabs.isEmpty }
            && !detachedTabs.contains { $0.tab.isIncognito == true }
        guard isDue else { return .lives }
        storage.forgetFaults()
        storage.forgetCalls()
        storage.hang(.deleteIncognito)
        closePrivateTabs()
        note("the deletion hangs")
        try look()
        await storage.waitForCalls(of: .deleteIncognito)
        return try await goOn {}
    }

    enum End { case lives, killed }

    private func goOn(_ ended: () async -> Void) async throws -> End {
        for _ in 0..<number(0..<4) {
            try change(without: "waiting")
            try look()
        }
        if chance(3) {
            let time = chance(2) ? restorer.policy.answerLimit : restorer.policy.saveDelay
            note("wait \(time) meanwhile")
            host.clock.advance(by: time)
            await restorer.context.work.waitUntilAllHasBegun()
            try look()
        }
        switch number(0..<4) {
        case 0:
            try await kill()
            await ended()
            return .killed
        case 1: try await replaceStorage()
        default:
            note("the store answers again")
            storage.release()
        }
        await ended()
        try await finishSaves()
        return .lives
    }

    /// Another storage over the same store takes the place of the one in use.
    func replaceStorage() async throws {
        note("the storage is replaced")
        let old = storage
        retired.append(old)
        storage = FaultyStorage(try await reopen(old.base))
        heard = try await HeardStore(storage.base)
        restorer.replaceStorage(with: storage)
        old.release()
        try await finishSaves()
    }

    /// One thing that needs no waiting.
    private func change(without waiting: String) throws {
        switch number(0..<12) {
        case 0, 1: try openTab()
        case 2...4: change()
        case 5: try arrange()
        case 6: try transfer()
        case 7: detach()
        case 8: try endDetour()
        case 9: try closeTabs()
        case 10: try reopenTabs()
        default: try chance(2) ? closeWindow() : openWindow(chance(2) ? .incognito : .regular)
        }
    }
}
