import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

/// What stores promise depends on what the engine's medium survives.
struct GreatestDurabilityTests {
    @Test func aStoreClaimsNoMoreThanItsEngine() throws {
        let claims: [(Durability, Set<Durability>)] = [
            (.memory, [.memory]), (.processCrash, [.processCrash]),
            (.powerLoss, [.processCrash, .powerLoss]),
        ]
        for (durability, levels) in claims {
            let folder = TemporaryFolder()
            let store = try ScriptedEngine(durability: durability).open(folder)
            expect(store.traits.durability, is: levels)
            expect(store.traits.defaultDurability, is: durability)
            expect(store.traits.incognitoDurability, is: durability)
            for kind in [SessionKind.regular, .incognito] {
                var changes = SessionChanges()
                changes.put(
                    SessionAttributes(),
                    for: SessionID(window: WindowID(high: 1, low: 1), kind: kind))
                let receipt = try store.saveBlocking(changes, durability: .memory)
                expect(receipt.durability, is: min(durability, .processCrash))
            }
            try store.closeBlocking()
        }
    }

    @Test func aSaveThatAsksForMoreIsRefused() throws {
        let folder = TemporaryFolder()
        let store = try ScriptedEngine(durability: .processCrash).open(folder)
        let error = expect(throws: StorageError.self) {
            try store.saveBlocking(SessionChanges(), durability: .powerLoss)
        }
        expect(error?.code == .unsupported && error?.operation == "save")
        expect(
            error?.message,
            is: "saves of backend 'memory' reach .processCrash at most, not .powerLoss")
        try store.closeBlocking()
        let late = expect(throws: StorageError.self) {
            try store.saveBlocking(SessionChanges(), durability: .powerLoss)
        }
        expect(late?.code, is: .closed)
    }

    @Test func anOptionThatAsksForMoreIsRefusedAndNothingIsMade() throws {
        let folder = TemporaryFolder()
        let error = expect(throws: StorageError.self) {
            try ScriptedEngine(durability: .memory).open(
                folder, ["durability": .text("processCrash")])
        }
        expect(error?.code, is: .invalidConfiguration)
        expect(error?.message.contains("the option 'durability' asks for .processCrash"), is: true)
        expect(try !FileSystem.exists(folder.store))
        expect(
            try ScriptedEngine(durability: .memory).open(folder, ["durability": .text("memory")])
                .traits.defaultDurability
                == .memory)
    }
}
