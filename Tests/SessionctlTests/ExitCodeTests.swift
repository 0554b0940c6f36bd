import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

/// What scripts rely on: exit codes, and which stream says what.
struct ExitCodeTests {
    private let workspace = Workspace()

    @Test(
        "A wrong command line is 64, with a message on standard error",
        arguments: [
            ["frobnicate"], ["list", "--no-such-flag"], ["show"], ["import"], ["migrate"],
            ["list", "--format", "xml"], ["import", ".", "--as", "netscape"],
            ["save-loop", "--durability", "eternal"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        outcome.expectRefusal(status: 64)
        expect(outcome.messages.hasPrefix("Error: "))
    }

    @Test(arguments: [["--help"], ["help"], ["list", "--help"]])
    func help(arguments: [String]) throws {
        let text = try Tool.run(arguments).expectSuccess(isSilent: true)
        expect(text.contains("USAGE: ") && !text.contains("save-loop"))
    }

    @Test(
        "What cannot be done is 2, and no store is made",
        arguments: [
            ["list"], ["show", "00000000-0000-4000-8000-000000000000"], ["digest"],
            ["export", "-"], ["export", "FILE"], ["check"], ["repair"], ["delete-incognito"],
            ["remove"], ["remove", "--yes"], ["save-loop", "--verify", "0"], ["quarantine"], ["du"],
        ])
    func noStore(arguments: [String]) throws {
        for backend in Workspace.backends {
            let arguments = arguments.map { $0 == "FILE" ? workspace.file("out") : $0 }
            let outcome = try Tool.run(arguments + ["--storage", workspace.store(backend)])
            outcome.expectRefusal("(notFound)")
            expect(outcome.messages.hasPrefix("sessionctl: "))
        }
        expect(try FileSystem.contents(of: workspace.path) == [])
    }

    @Test func aStoreOfAnotherBackendIsRefusedWithTheWayOut() throws {
        _ = try workspace.imported("sqlite")
        let before = try FileSystem.files(in: workspace.path)
        for backend in ["directory", "leveldb"] {
            try Tool.run(["init", "--storage", workspace.store(backend)]).expectRefusal(
                "(incompatibleFormat)", "sessionctl migrate --from sqlite://")
        }
        expect(try FileSystem.files(in: workspace.path) == before)
    }
}
