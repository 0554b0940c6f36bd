import BackendSelection
import BrowserSessions
import Expectations

struct EnvironmentTests {
    let fakes = Fakes()

    @Test func variablesSelectAStore() throws {
        let selection = try fakes.resolve(environment: [
            "SESSION_STORAGE_BACKEND": "sqlite",
            "SESSION_STORAGE_LOCATION": "~/profile.{backend}",
            "SESSION_STORAGE_OPTION_MAXIMUM_STATE_BYTES": "1MiB",
            "SESSION_STORAGE_OPTION_PAGE_CACHE_KIB": "64",
            "SESSION_STORE": "other", "PATH": "/bin",
        ])
        expect(selection.backend.name, is: "sqlite")
        expect(selection.configuration.location, is: "/home/me/profile.sqlite")
        expect(
            selection.configuration.options,
            is: [
                "maximumStateBytes": .integer(1 << 20), "pageCacheKiB": .integer(64),
            ])
    }

    @Test func singleVariablesOverrideTheURL() throws {
        let selection = try fakes.resolve(environment: [
            "SESSION_STORAGE_URL": "sqlite:///p?durability=memory&create=false",
            "SESSION_STORAGE_BACKEND": "leveldb",
            "SESSION_STORAGE_OPTION_DURABILITY": "processCrash",
        ])
        expect(selection.backend.name, is: "leveldb")
        expect(selection.configuration.location, is: "/p")
        expect(
            selection.configuration.options,
            is: [
                "durability": .text("processCrash"), "create": .bool(false),
            ])
    }

    @Test(arguments: [
        (
            "SESSION_STORAGE_BACKED", "x",
            "no variable of that name is known; did you mean 'SESSION_STORAGE_BACKEND'?"
        ),
        (
            "SESSION_STORAGE_OPTION_DURABILTY", "memory",
            "did you mean 'SESSION_STORAGE_OPTION_DURABILITY'?"
        ),
        ("SESSION_STORAGE_", "x", "known are: SESSION_STORAGE_BACKEND, SESSION_STORAGE_LOCATION"),
        ("SESSION_STORAGE_OPTION_durability", "memory", "no variable of that name"),
        ("SESSION_STORAGE_BACKEND", "", "the variable is empty; unset it"),
        ("SESSION_STORAGE_CONFIG", "", "the variable is empty; unset it"),
        ("SESSION_STORAGE_BACKEND", "sqlit", "did you mean 'sqlite'?"),
        ("SESSION_STORAGE_LOCATION", "p.{bakend}", "the only placeholder of a location"),
        ("SESSION_STORAGE_LOCATION", "~you/p", "'./~…'"),
        ("SESSION_STORAGE_LOCATION", "~{backend}", "'./~…'"),
        ("SESSION_STORAGE_URL", "sqlite", "not a URL"),
        ("SESSION_STORAGE_OPTION_CREATE", "no", "must be true or false, not 'no'"),
        ("SESSION_STORAGE_OPTION_COMPRESSION", "true", "'compression' is an option of 'leveldb'"),
    ])
    func mistakesNameTheVariable(variable: String, value: String, problem: String) throws {
        let message = try refusal {
            try fakes.resolve(storage: "sqlite:p", environment: [variable: value])
        }
        expect(message.hasPrefix("select: environment variable \(variable): "), "\(message)")
        expect(message.contains(problem), "\(message)")
    }

    @Test func homeMustBeKnownForATilde() throws {
        let message = try refusal {
            try SelectionLayer.environment(
                ["SESSION_STORAGE_LOCATION": "~/p"], registry: try fakes.registry(),
                directory: "/base")
        }
        expect(message.contains("HOME is not set"))
    }

    @Test func anEnvironmentWithoutVariablesSaysNothing() throws {
        let layers = try SelectionLayer.environment(
            ["HOME": "/home/me"], registry: try fakes.registry(), directory: "/base")
        expect(layers, is: [SelectionLayer(level: .environment)])
    }
}
