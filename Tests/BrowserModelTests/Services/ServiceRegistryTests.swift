import BrowserModel
import Expectations

struct ServiceRegistryTests {
    let log = ServiceLog()

    @Test func aCycleIsNamedInOrder() {
        expect(throws: ServiceRegistryError.cycle(["Sync", "History", "Sync"])) {
            try ServiceRegistry([
                log.declare(Bookmarks.self, [Sync.self]), log.declare(Sync.self, [History.self]),
                log.declare(History.self, [Sync.self]),
            ])
        }
        let text = "\(ServiceRegistryError.cycle(["Sync", "History", "Sync"]))"
        expect(text.contains("Sync → History → Sync; remove one of these dependencies"))
    }

    @Test func aServiceThatDependsOnItselfIsACycle() {
        expect(throws: ServiceRegistryError.cycle(["Sync", "Sync"])) {
            try ServiceRegistry([log.declare(Sync.self, [Sync.self])])
        }
    }

    @Test func anUndeclaredDependencyIsRefusedByName() {
        let text = message { try ServiceRegistry([log.declare(Sync.self, [History.self])]) }
        expect(text.contains("Sync depends on History, which is not declared; declare History"))
    }

    @Test func aTypeIsDeclaredOnce() {
        let declaration = log.declare(Sync.self)
        let text = message { try ServiceRegistry([declaration, declaration]) }
        expect(text.contains("Sync is declared twice; remove one"))
    }

    @Test func everyServiceComesAfterAllItDependsOn() throws {
        let registry = try ServiceRegistry([
            log.declare(Sessions.self, [Bookmarks.self, History.self]),
            log.declare(Bookmarks.self, [Sync.self]), log.declare(Sync.self, [History.self]),
            log.declare(History.self),
        ])
        expect(registry.names, is: ["History", "Sync", "Bookmarks", "Sessions"])
        expect(ServiceRegistry().names, is: [])
    }
}
