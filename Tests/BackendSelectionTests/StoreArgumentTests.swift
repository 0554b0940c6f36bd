import BackendSelection
import BrowserSessions
import Expectations

/// A store that is named without its backend.
struct StoreArgumentTests {
    /// Backends that know a store by its path: `/shelf/sqlite` is one of sqlite.
    func registry() throws -> BackendRegistry {
        try BackendRegistry(
            ["sqlite", "leveldb", "elsewhere"].map { name in
                StorageBackend(
                    name: name, summary: "fake",
                    hasStore: { path throws(StorageError) in
                        if path.hasSuffix("closed") {
                            throw StorageError(.permissionDenied, "cannot look at it")
                        }
                        return name != "elsewhere" && path.hasSuffix("/" + name)
                    },
                    open: { _ throws(StorageError) in
                        throw StorageError(.failed, "nothing is opened here")
                    })
            })
    }

    func resolve(
        _ store: String, storage: String? = nil, environment: [String: String] = [:]
    ) throws -> ResolvedSelection {
        try SelectionRequest(
            store: store, storage: storage, environment: environment, workingDirectory: "/shelf"
        ).resolve(registry: registry())
    }

    @Test("A store of another backend where the location names one has a warning")
    func otherStores() throws {
        let environment = [
            "SESSION_STORAGE_BACKEND": "leveldb", "SESSION_STORAGE_LOCATION": "shelf/{backend}",
        ]
        let request = SelectionRequest(environment: environment, workingDirectory: "/")
        let selection = try request.resolve(registry: registry())
        expect(try selection.otherStores().map(\.location) == ["/shelf/sqlite"])
        let warning = try require(selection.warnings().first)
        for word in [
            "'/shelf/sqlite'", "--from sqlite:///shelf/sqlite", "leveldb:///shelf/leveldb",
        ] { expect(warning.contains(word)) }
        expect(try resolve("/shelf/leveldb").warnings() == [])
    }

    @Test(
        "The contents tell the backend, whatever else is said",
        arguments: ["/shelf/leveldb", "leveldb", "./leveldb", "~/leveldb"])
    func found(path: String) throws {
        let selection = try resolve(
            path, environment: ["SESSION_STORAGE_BACKEND": "sqlite", "HOME": "/home/me"])
        expect(selection.backend.name, is: "leveldb")
        expect(
            selection.configuration.location,
            is: (path.hasPrefix("~") ? "/home/me/leveldb" : "/shelf/leveldb"))
        expect(selection.explain()[0].hasSuffix("leveldb  from command line (STORE)"))
    }

    @Test func aURLIsTakenToo() throws {
        let selection = try resolve("elsewhere:/x?create=false")
        expect(selection.url, is: "elsewhere:///x?create=false")
    }

    @Test func whatIsUnknownNeedsItsBackend() throws {
        let error = expect(throws: StorageError.self) { try resolve("/shelf/paper") }
        expect(error?.code, is: .notFound)
        expect(
            error?.message.contains(
                "--storage BACKEND:/shelf/paper, where BACKEND is one of elsewhere, leveldb, sqlite"
            ),
            is: true)
        let selection = try resolve(
            "/shelf/paper", environment: ["SESSION_STORAGE_BACKEND": "elsewhere"])
        expect(selection.url, is: "elsewhere:///shelf/paper")
    }

    @Test func whatCannotBeLookedAtIsNotTakenForNothing() throws {
        let error = expect(throws: StorageError.self) { try resolve("/shelf/closed") }
        expect(error?.code, is: .permissionDenied)
    }

    @Test func twoStoresAreOneTooMany() throws {
        let error = expect(throws: StorageError.self) {
            try resolve("/shelf/sqlite", storage: "sqlite:/other")
        }
        expect(error?.code, is: .invalidConfiguration)
        expect(error?.message.contains("--storage names a store, too"), is: true)
        expect(throws: StorageError.self) { try resolve("") }
        expect(throws: StorageError.self) { try resolve("sqlit://x") }
    }

    @Test func aDotIsTheCurrentFolder() throws {
        for text in [".", "./"] {
            let selection = try SelectionRequest(
                store: text, environment: [:], workingDirectory: "/shelf/leveldb"
            ).resolve(registry: registry())
            expect(selection.url, is: "leveldb:///shelf/leveldb")
        }
    }

    @Test(
        "The store in the current folder is taken where nothing is named, and only if that is wanted"
    )
    func workingDirectory() throws {
        var request = SelectionRequest(environment: [:], workingDirectory: "/shelf/leveldb")
        let error = expect(throws: StorageError.self) { try request.resolve(registry: registry()) }
        expect(error?.message.contains("no backend is selected"), is: true)
        request.usesWorkingDirectory = true
        let selection = try request.resolve(registry: registry())
        expect(selection.url, is: "leveldb:///shelf/leveldb")
        expect(selection.explain()[0].hasSuffix("leveldb  from command line (the current folder)"))
        request.options = ["create=false"]
        expect(
            try request.resolve(registry: registry()).url == "leveldb:///shelf/leveldb?create=false"
        )
        request.environment = ["SESSION_STORAGE_URL": "sqlite:///other"]
        expect(try request.resolve(registry: registry()).url == "sqlite:///other?create=false")
        request.environment = [:]
        request.workingDirectory = "/shelf/paper"
        let none = expect(throws: StorageError.self) { try request.resolve(registry: registry()) }
        expect(none?.code, is: .invalidConfiguration)
        expect(none?.message.contains("the current folder '/shelf/paper' is none"), is: true)
    }
}
