import Expectations
import Foundation
import StorageConformance
import TestSupport
import Yams

/// That the package also builds, and is red, is shown by `make outside`.
@Suite("storagecheck init")
struct InitTests {
    private let clone = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private let url = ["--package-url", "https://example.org/browser-sessions.git"]

    private let place = TemporaryFolder()
    private var folder: String { place.path }

    /// Runs `init` for a folder of the test's own.
    private func run(_ arguments: [String]) throws -> ProgramOutcome {
        try CheckTool.run(
            ["init"] + arguments.map { $0.replacingOccurrences(of: "FOLDER", with: folder) })
    }

    /// A mistake is said, and nothing is written.
    private func expectRefusal(
        _ arguments: [String], _ message: String, left: [String] = []
    ) throws {
        let outcome = try run(arguments)
        expect(outcome.status == 64 && outcome.messages.contains(message))
        expect(outcome.output.isEmpty)
        expect(try FileManager.default.contentsOfDirectory(atPath: folder) == left)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    /// How many steps a workflow has, as its runner reads it.
    private func steps(_ workflow: String) throws -> Int? {
        let root = try Yams.load(yaml: workflow) as? [String: Any]
        let jobs = root?["jobs"] as? [String: [String: Any]]
        return (jobs?["check"]?["steps"] as? [[String: Any]])?.count
    }

    private static let files = [
        ".github/workflows/ci.yml", ".gitignore", "Makefile", "Package.swift", "README.md",
        "Sources/MyBackend/MyBackend.swift", "Sources/MyBackend/MyEngine.swift",
        "Sources/MyBackend/MyStore.swift", "Sources/mybackend-check/Check.swift",
        "Tests/MyBackendTests/ConformanceTests.swift", "Tests/MyBackendTests/Harness.swift",
    ]

    @Test func aPackageIsWritten() throws {
        let outcome = try run(["MyBackend", "--path", "FOLDER/new/it"] + url)
        expect(outcome.status, is: 0, "\(outcome.messages)")
        let root = place.file("new/it")
        for file in Self.files {
            let found = try text("\(root)/\(file)")
            expect(found.hasSuffix("\n") && !found.contains("PackageNames"), "\(file)")
            expect(outcome.output.contains("\(root)/\(file)\n"))
        }
        let manifest = try text("\(root)/Package.swift")
        expect(
            manifest.contains(
                ".package(url: \"https://example.org/browser-sessions.git\", branch: \"main\", traits: [\"Tools\"])"
            )
        )
        expect(
            manifest.contains(
                ".product(name: \"StorageConformance\", package: \"browser-sessions\")"))
        let program = try text("\(root)/\(Self.files[8])")
        expect(program.contains("StorageCheckMain.run(registry: try BackendRegistry([.my]))"))
        expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 15)
        let workflow = try text("\(root)/\(Self.files[0])")
        expect(workflow.contains("run: swift run mybackend-check --output conformance.xml"))
        expect(!workflow.contains("git clone"))
        expect(try steps(workflow) == 3)
        let readme = try text("\(root)/README.md")
        for capability in Capability.allCases {
            expect(readme.contains("| \(capability.rawValue) | ? | "))
        }
        expect(try text("\(root)/\(Self.files[6])").contains("throw StorageError(.unsupported"))
    }

    @Test func aPathIsSeenFromTheNewFolder() throws {
        let outcome = try run(["paper", "--path", "FOLDER/a/b", "--package-path", clone])
        expect(outcome.status, is: 0, "\(outcome.messages)")
        let manifest = try text("\(folder)/a/b/Package.swift")
        let start = try require(manifest.range(of: "path: \"")).upperBound
        let path = manifest[start...].prefix { $0 != "\"" }
        expect(path.hasPrefix("../"))
        let found = URL(filePath: "\(folder)/a/b/\(path)").resolvingSymlinksInPath().path
        expect(found, is: URL(filePath: clone).resolvingSymlinksInPath().path)
        expect(manifest.contains(".package(name: \"browser-sessions\", path: "))
        let workflow = try text("\(folder)/a/b/.github/workflows/ci.yml")
        expect(workflow.contains("git clone --depth 1 \"$URL\" '\(path)'"))
        expect(try steps(workflow) == 4)
        expect(try text("\(folder)/a/b/Sources/paper/PaperEngine.swift").contains("\"paper\""))
    }

    @Test(
        "names that cannot be",
        arguments: [
            ("", "must begin with a letter"), ("1st", "must begin with a letter"),
            ("_x", "must begin with a letter"), ("My-Backend", "must begin with a letter"),
            ("Größe", "must begin with a letter"), ("../x", "must begin with a letter"),
            ("class", "is a word of Swift"), ("DefaultBackend", "is a word of Swift"),
            ("Testing", "that the package needs"), ("Options", "cannot name a backend"),
        ])
    func names(name: String, message: String) throws {
        try expectRefusal([name, "--path", "FOLDER/x"] + url, message)
    }

    @Test(
        "dependencies that cannot be",
        arguments: [
            (["--package-url", "nowhere"], "is no URL"),
            (["--package-url", "https://a/b\"c"], "is no URL"),
            (["--package-path", "FOLDER"], "is no clone"),
            (["--package-path", "FOLDER", "--package-url", "https://a/b"], "not both"),
        ])
    func dependencies(arguments: [String], message: String) throws {
        try expectRefusal(["My", "--path", "FOLDER/x"] + arguments, message)
    }

    @Test func whatIsThereIsNeverOverwritten() throws {
        try "mine".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
        for (path, message) in [("FOLDER", "is not empty"), ("FOLDER/file", "is no folder")] {
            try expectRefusal(["My", "--path", path] + url, message, left: ["file"])
        }
        expect(try text("\(folder)/file") == "mine")
    }

    @Test func aFolderThatCannotBeMadeIsTheMachinesFault() throws {
        let outcome = try run(["My", "--path", "/dev/null/x"] + url)
        expect(outcome.status, is: 3, "\(outcome.messages)")
    }
}
