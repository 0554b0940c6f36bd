import BrowserSessions
import Expectations
import TestSupport
import Testing

@Suite("errors name the store")
struct ErrorLocationTests {
    @Test("whatever a backend was asked for")
    func calls() async throws {
        let backend = StorageBackend(name: "far", summary: "") { _ throws(StorageError) in
            throw StorageError(.locked, "it is open")
        }
        for option in ["durability", "colour"] {
            let place = StorageConfiguration(location: "/profile-7", options: [option: "powerLoss"])
            let errors = [
                await error { _ = try await backend.open(place) },
                await error { _ = try backend.openBlocking(place) },
                await error { _ = try await backend.remove(place) },
                await error { _ = try await backend.openReader(place) },
                await error { _ = try await backend.backUp(place, to: "/backup") },
            ]
            for error in errors {
                expect(error?.location, is: "/profile-7")
                expect(error.map { "\($0)".contains("'/profile-7'") }, is: true)
            }
        }
    }

    @Test(
        "no password of an address is in it",
        arguments: [
            ("//app:secret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("//app:sec/ret@db:5432/sessions", "//app:•••@db:5432/sessions"),
            ("//app:a@secret@db/sessions", "//app:•••@db/sessions"),
            ("//app:12/secret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("//app:se?c#ret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("//app:\u{301}secret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("app:secret@db/sessions/work", "app:•••@db/sessions/work"),
            ("far://app:secret@db/sessions/work", "far:•••@db/sessions/work"),
            ("//db/sessions?password=secret", "//db/sessions?•••"),
            ("//db:5432/sessions/work@home", "//db:5432/sessions/work@home"),
            ("//app@db1:1,db2:2/sessions/work", "//app@db1:1,db2:2/sessions/work"),
        ])
    func passwords(location: String, shown: String) async throws {
        let backend = StorageBackend(name: "far", summary: "", locationForm: .address) {
            _ throws(StorageError) in
            throw StorageError(.unavailable, "it does not answer", operation: "open")
        }
        let configuration = StorageConfiguration(location: location)
        let error = await error { _ = try await backend.open(configuration) }
        expect(error?.description, is: "open '\(shown)': it does not answer (unavailable)")
        let described = try require(error)
        expect(!String(reflecting: described).contains("ret@"))
    }
}
