import Expectations
import Foundation
import TestSupport

@testable import sessionctl

/// Man pages are made of what the programs say of themselves.
struct ManualTests {
    private let workspace = Workspace()
    private static let programs = ["demobrowser", "sessionctl", "storagebench", "storagecheck"]
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".ci/man").path

    @Test("Each command has a page, with all that it takes")
    func pages() throws {
        let folder = try BuiltProgram.named("sessionctl").deletingLastPathComponent().path
        let made = try ProgramOutcome(
            of: ["/usr/bin/env", "perl", Self.script, folder, workspace.file("man")] + Self.programs
        )
        expect(made.status == 0 && made.messages.isEmpty, "\(made.messages)")
        let names = LookTests.commands().map(\.name).filter { $0 != ["save-loop"] }
        expect(names.count > 15)
        for name in names {
            let page = try workspace.text(
                "man/man1/\((["sessionctl"] + name).joined(separator: "-")).1")
            let help = try Tool.run(name + ["--help"]).output
            for option in help.matches(of: /^ +(?:-\w, )?(--[\w-]+)/.anchorsMatchLineEndings()) {
                expect(page.contains(option.output.1.replacing("-", with: "\\-")), "\(name)")
            }
            for part in ["NAME", "SYNOPSIS", "OPTIONS", "SEE ALSO"] {
                expect(page.contains(".SH \(part)\n"))
            }
        }
        let first = try workspace.text("man/man1/sessionctl.1")
        expect(first.contains("\\fBdu\\fR\n") && first.contains("Exit codes: 0 done"))
        for program in Self.programs { _ = try workspace.text("man/man1/\(program).1") }
        let check = try Shell.run(
            "! command -v groff >/dev/null || groff -man -Tutf8 -ww -z \(workspace.path)/man/man1/*.1"
        )
        expect(check.status == 0 && check.output + check.messages == "")
    }

    @Test("A shell completes sessions, stores, options and their values")
    func completion() throws {
        _ = try workspace.imported("sqlite")
        let script = try Tool.run(["--generate-completion-script", "bash"]).expectSuccess()
        try Data(script.utf8).write(to: URL(filePath: workspace.file("complete.bash")))
        func complete(_ words: String...) throws -> [String] {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let line = """
                cd \(workspace.path); sessionctl() { "$SESSIONCTL" "$@"; }; . ./complete.bash
                COMP_WORDS=("$SESSIONCTL" \(list)); COMP_CWORD=\(words.count)
                COMP_LINE="sessionctl \(words.joined(separator: " "))"; COMP_POINT=${#COMP_LINE}
                _sessionctl sessionctl '\(words.last ?? "")' '\(words.dropLast().last ?? "")'
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let quoted = line.replacing("'", with: "'\\''")
            let outcome = try Shell.run("bash -c '\(quoted)'").expectSuccess()
            return outcome.split(separator: "\n").map(String.init).sorted()
        }
        expect(try complete("quar") == ["quarantine"])
        expect(try complete("list", "--option", "dur") == ["durability="])
        expect(
            try complete("list", "--option", "access=") == ["access=readOnly", "access=readWrite"])
        expect(try complete("init", "--storage", "sq") == ["sqlite:"])
        expect(try complete("list", "prof") == ["profile"])
        expect(
            try complete("import", "--as", "x", "--as", "chrome-ios-a") == ["chrome-ios-archive"])
    }

    @Test("Sessions are offered of the store that is named, or of the current folder")
    func sessions() throws {
        let store = try workspace.imported("sqlite")
        let place = workspace.file("profile")
        func offered(_ line: String) throws -> [String] {
            let outcome = try Shell.run(
                "cd \(workspace.path) && SAP_SHELL=bash $SESSIONCTL ---completion \(line)"
            ).expectSuccess()
            return outcome.split(separator: "\n").map(String.init)
        }
        let ids = ["inactive", "incognito", "regular"].map {
            "3F9D5A1C-7B42-4E08-9C61-2D8E0B7A4F15/\($0)"
        }
        expect(
            try offered("show -- positional@0 2 2 sessionctl show 3f --storage '\(store)'").sorted()
                == ids)
        expect(
            try offered("show -- positional@0 2 2 sessionctl show 3F '\(place)'").sorted() == ids)
        expect(try offered("show -- positional@0 2 2 sessionctl show 3F") == [])
        let here = try Shell.run(
            "cd '\(place)' && SAP_SHELL=bash $SESSIONCTL ---completion rm -- positional@0 2 2 sessionctl rm 3F"
        )
        expect(here.output.split(separator: "\n").map(String.init).sorted(), is: ids)
    }
}
