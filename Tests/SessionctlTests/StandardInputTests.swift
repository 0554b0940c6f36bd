import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

/// `-` is standard input, and nothing is the current folder.
struct StandardInputTests {
    private let workspace = Workspace()

    @Test func aConfigurationComesFromStandardInput() throws {
        _ = try workspace.imported("sqlite")
        let expected = try Tool.run(["digest", workspace.file("profile")]).output
        let place = workspace.file("profile")
        for text in [
            #"{"backend": "sqlite", "location": "\#(place)"}"#,
            "backend: sqlite\\nlocation: \(place)\\n",
        ] {
            let outcome = try Shell.run("printf '\(text)' | $SESSIONCTL digest --config -")
            expect(outcome.status == 0 && outcome.output == expected, "\(outcome.messages)")
        }
        // What resolves its store twice reads it once.
        let json = #"{"backend": "sqlite", "location": "\#(workspace.file("new"))"}"#
        let made = try Shell.run("printf '\(json)' | $SESSIONCTL init --config -")
        expect(made.status == 0 && made.output.contains("0 sessions"), "\(made.messages)")
        try Shell.run(
            #"printf '{"backend": "sqlite", "location": "profile"}' | $SESSIONCTL list --config -"#
        ).expectRefusal(
            "'profile' is relative, and standard input is in no folder",
            "standard input:1 (location)")
        try Shell.run("$SESSIONCTL list --config - </dev/null").expectRefusal(
            "standard input is empty")
    }

    @Test func whatIsImportedComesFromStandardInput() throws {
        let store = try workspace.imported("sqlite")
        let copy = workspace.store("directory", "copy")
        let outcome = try Shell.run(
            "$SESSIONCTL export - --storage \(store) | $SESSIONCTL import - --storage \(copy)"
        ).expectSuccess()
        expect(outcome.contains("standard input  canonical"))
        let digests = try [store, copy].map {
            try Tool.run(["export", "-", "--storage", $0]).output
        }
        expect(digests[0], is: digests[1])
        try Tool.run(["import", "-", "--config", "-"]).expectRefusal(
            "cannot both be standard input", status: 64)
        try Shell.run("$SESSIONCTL import - --storage \(copy) </dev/null").expectRefusal()
    }

    @Test(arguments: Workspace.backends)
    func nothingIsTheStoreInTheCurrentFolder(backend: String) throws {
        _ = try workspace.imported(backend)
        let place = workspace.file("profile")
        let expected = try Tool.run(["list", place]).output
        for store in ["", ".", "./", "../profile"] {
            let outcome = try Shell.run("cd '\(place)' && $SESSIONCTL list \(store)")
            expect(outcome.status == 0 && outcome.output == expected, "\(outcome.messages)")
        }
        try Shell.run("cd '\(workspace.path)' && $SESSIONCTL list").expectRefusal(
            "the current folder '")
        // A whole store goes only if it was named.
        let remove = try Shell.run("cd '\(place)' && $SESSIONCTL remove --yes")
        expect(remove.status == 2 && remove.messages.contains("no backend is selected"))
        try Shell.run("cd '\(place)' && $SESSIONCTL remove --yes .").expectSuccess()
    }
}
