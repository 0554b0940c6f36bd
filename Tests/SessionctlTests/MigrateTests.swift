import BrowserSessions
import LocalFiles
import Testing

@Suite struct MigrateTests {
    static let pairs = Workspace.backends.flatMap { from in
        Workspace.backends.map { (from, $0) }
    }

    func digest(_ store: String) throws -> String {
        let outcome = try Tool.run(["digest", "--storage", store])
        try #require(outcome.status == 0, "\(outcome.messages)")
        return String(outcome.output.dropLast())
    }

    /// The source's files, but for those that change whenever a store is opened: the lock, which
    /// names the process, and LevelDB's own, of which it writes new ones.
    func ownFiles(_ workspace: Workspace) throws -> [String: [UInt8]] {
        let files = try workspace.files(in: workspace.file("source"))
        return files.filter { !$0.key.hasSuffix("/lock") && !$0.key.contains("/db/") }
    }

    @Test("Everything is copied and compared, and the source stays", arguments: pairs)
    func copies(from: String, to: String) throws {
        let workspace = try Workspace()
        let source = try workspace.imported(from, "source")
        let target = workspace.store(to, "target") + "?incognitoKeys=file"
        let before = try digest(source)
        let files = try ownFiles(workspace)
        let outcome = try Tool.run([
            "migrate", "--from", source, "--to", target, "--include-incognito", "--format", "json",
        ])
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.messages.isEmpty)
        let json = try outcome.json()
        #expect(json["sha256"] == .text(before))
        #expect(json["tabs"] == .number(47))
        #expect(try ownFiles(workspace) == files)
        #expect(try digest(source) == before)
        #expect(try digest(target) == before)
    }

    @Test func incognitoSessionsStayUnlessAskedFor() throws {
        let workspace = try Workspace()
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("directory", "target")
        let outcome = try Tool.run(["migrate", "--from", source, "--to", target])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("both stores hold the same"))
        let list = try Tool.run(["list", "--storage", target, "--format", "json"]).json().elements
        #expect(list.count > 10)
        #expect(list.allSatisfy { $0["session"].text?.hasSuffix("/incognito") == false })
        #expect(try !FileSystem.exists("\(workspace.file("target"))/incognito"))
    }

    @Test func aTargetWithSessionsIsRefused() throws {
        let workspace = try Workspace()
        let source = try workspace.imported("sqlite", "source")
        let target = workspace.store("leveldb", "target")
        let links = "\(Workspace.sample)/links.tsv"
        #expect(try Tool.run(["import", links, "--incognito", "--storage", target]).status == 0)
        let before = try digest(target)
        let outcome = try Tool.run(["migrate", "--from", source, "--to", target])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.messages.contains("that the source does not hold"))
        #expect(outcome.messages.contains("(conflict)"))
        #expect(try digest(target) == before)
    }

    @Test func onlyAStoreThatIsThereCanBeCopied() throws {
        let workspace = try Workspace()
        let target = workspace.store("sqlite", "target")
        let outcome = try Tool.run([
            "migrate", "--from", workspace.store("sqlite", "none"), "--to", target,
        ])
        #expect(outcome.status == 2)
        #expect(outcome.messages.contains("(notFound)"))
        #expect(try FileSystem.contents(of: workspace.path) == [])
    }

    @Test func aStoreCannotBeCopiedOntoItself() throws {
        let workspace = try Workspace()
        let store = try workspace.imported("sqlite")
        let before = try digest(store)
        let outcome = try Tool.run(["migrate", "--from", store, "--to", store])
        #expect(outcome.status == 2)
        #expect(outcome.messages.contains("(locked)"))
        #expect(try digest(store) == before)
    }
}
