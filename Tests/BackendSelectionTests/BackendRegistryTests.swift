import BackendSelection
import BrowserSessions
import Expectations

struct BackendRegistryTests {
    let fakes = Fakes()

    @Test func namesAreSortedAndFound() throws {
        let registry = try fakes.registry()
        expect(registry.names, is: ["directory", "leveldb", "memory", "sqlite"])
        expect(registry["sqlite"]?.name, is: "sqlite")
        expect(registry["SQLite"] == nil)
    }

    @Test func aNameIsRegisteredOnce() throws {
        let message = try refusal {
            try BackendRegistry([fakes.backend("sqlite"), fakes.backend("sqlite")])
        }
        expect(message.contains("backend 'sqlite' is registered twice"))
    }

    @Test(arguments: ["", "SQLite", "my backend", "a/b", "1st", "backend", "location", "options"])
    func aNameMustBeASchemeAndNoKey(name: String) throws {
        let message = try refusal { try BackendRegistry([fakes.backend(name)]) }
        expect(message.contains("'\(name)' cannot be the name of a backend"))
    }

    @Test func optionsAreUniqueAlsoAsVariables() throws {
        func option(_ name: String) -> StorageOption {
            StorageOption(name, kind: .bool, default: .bool(true), summary: "")
        }
        let common = try refusal {
            try BackendRegistry([fakes.backend("own", [option("durability")])])
        }
        expect(common.contains("backend 'own' has option 'durability' twice"))
        let variable = try refusal {
            try BackendRegistry([
                fakes.backend("one", [option("cacheSize")]),
                fakes.backend("two", [option("cache-size")]),
            ])
        }
        expect(variable.contains("SESSION_STORAGE_OPTION_CACHE_SIZE"))
    }

    @Test func anEmptyRegistrySaysSo() throws {
        let registry = try BackendRegistry([])
        let message = try refusal {
            try BackendSelector(registry: registry, layers: [.code(backend: "sqlite")]).resolve()
        }
        expect(message.contains("there is no backend 'sqlite'; there is: none"))
    }
}
