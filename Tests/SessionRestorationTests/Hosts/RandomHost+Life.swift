import BrowserModel
import BrowserSessions
import SessionTesting

@testable import SessionRestoration

/// What a host does in its lives.
extension RandomHost {
    /// Several lives. At their end nothing is lost.
    func live() async throws {
        try await restorer.restore()
        try openWindow(.regular)
        try look()
        for _ in 0..<number(2..<5) {
            for _ in 0..<number(4..<20) {
                host.clock.advance(by: .milliseconds(20))
                if try await step() == .killed { continue }
                try look()
                try await finishSaves()
            }
            if chance(2) { try await saveAndCheck() }
            try await kill()
        }
        try await end()
    }

    /// The store is well again, and everything is saved.
    private func end() async throws {
        note("END")
        storage.forgetFaults()
        for tab in windows.windows.flatMap(\.tabs.tabs) where isTooLarge(tab) {
            try await tab.forceRealization()
            makeSmall(tab)
        }
        try look()
        guard try await save() else { throw fail("the last save failed") }
        try await finishSaves()
        guard try await save() else { throw fail("the last save failed") }
        guard restorer.isSaved || !refused.isEmpty else { throw fail("not all is saved") }
        try await checkStore()
        try await kill()
        for tab in windows.windows.flatMap(\.tabs.tabs) where chance(2) {
            try await tab.forceRealization()
        }
        try look()
        try await saveAndCheck()
        if detachedTabs.isEmpty { try await checkStore() }
    }

    private func step() async throws -> End {
        switch number(0..<100) {
        case 0..<10: try openTab()
        case 10..<26: try await changeAnyhow()
        case 26..<37: if rules == .flatGroups || chance(2) { try arrange() } else { arrangeNodes() }
        case 37..<42: try transfer()
        case 42..<46: detach()
        case 46..<51: try endDetour()
        case 51..<57: try closeTabs()
        case 57..<62: try reopenTabs()
        case 62..<65: try openWindow(.regular)
        case 65..<68: try openWindow(.incognito)
        case 68..<70: try closeWindow()
        case 70..<72: try await reopenWindow()
        case 72: try merge()
        case 73..<76: try closeAll()
        case 76..<78: changeWindow()
        case 78: makeTooLarge()
        case 79: windows.windows.flatMap(\.tabs.tabs).first { isTooLarge($0) }.map(makeSmall)
        default: return try await saving()
        }
        return .lives
    }

    private func saving() async throws -> End {
        switch number(0..<(goesBack ? 26 : 22)) {
        case 0..<6: try await saveAndCheck()
        case 6..<12: try await wait()
        case 12..<15: hurt()
        case 15: hurtDeletion()
        case 16: closePrivateTabs()
        case 17: try await deletePrivate()
        case 18, 19: return try await hang()
        case 20: return try await hangDeletion()
        case 22, 23: await takePoint()
        case 24, 25: try await goBack()
        default: try await replaceStorage()
        }
        return .lives
    }

    private func changeAnyhow() async throws {
        if chance(2), let (_, tab, _) = anyTab() {
            try await tab.forceRealization()
            try look()
        }
        change()
    }
}
