import BackendSelection
import BrowserSessions
import Expectations
import TestSupport

/// Mistakes in configuration files: each is refused with the file, the line and the key.
struct ConfigurationSyntaxTests {
    let fakes = Fakes()
    let directory = TemporaryFolder()

    func check(_ name: String, _ text: String, _ place: String, _ problem: String) throws {
        let file = try directory.write(name, text)
        let message = try refusal { try fakes.resolve(file: file) }
        expect(message.hasPrefix("select: \(file)\(place): "), "\(message)")
        expect(message.contains(problem), "\(message)")
    }

    @Test(arguments: [
        ("json", "", "", "the file is empty"),
        ("json", " \n\t", "", "the file is empty"),
        ("json", "[]", ":1", "expected '{'"),
        ("json", "\"sqlite\"", ":1", "expected '{'"),
        ("json", "{", ":1", "expected a text in double quotes"),
        ("json", "{\n\"backend\"", ":2", "expected ':'"),
        ("json", "{\n\"backend\": \"sqlite\"\n\"location\"", ":3", "expected '}'"),
        ("json", "{\n\"backend\": \"sqlite\",\n}", ":3", "expected a text in double quotes"),
        ("json", "{\"backend\":}", ":1", "expected a value"),
        ("json", "{\"backend\": sqlite}", ":1", "expected a value"),
        ("json", "{\"backend\": True}", ":1", "expected a value"),
        ("json", "{\"backend\": \"sqlite}", ":1", "no closing quote"),
        ("json", "{\"backend\": \"sqlite\\", ":1", "no closing quote"),
        ("json", "{\"backend\": \"sq\nlite\"}", ":1", "no closing quote"),
        ("json", "{\"backend\": \"\\x\"}", ":1", "wrong escape"),
        ("json", "{\"backend\": \"\\ud83d\"}", ":1", "wrong escape"),
        ("json", "{\"backend\": \"a\tb\"}", ":1", "control character"),
        ("json", "{} {}", ":1", "nothing may follow"),
        ("json", "{'backend': 'sqlite'}", ":1", "expected a text in double quotes"),
        ("json", "{\n// comment\n}", ":2", "expected a text in double quotes"),
        ("yaml", "# nothing\n", "", "the file is empty"),
        ("yaml", "sqlite", ":1", "must be a mapping"),
        ("yaml", "- backend\n- sqlite", ":1", "must be a mapping"),
        ("yaml", "backend: sqlite\n\tlocation: /p", ":2", "not YAML"),
        ("yaml", "backend: 'sqlite", ":1", "not YAML"),
        ("yaml", "backend: [sqlite", ":1 (backend)", "a list has no meaning"),
        ("yaml", "backend: \"sqlite", ":1", "not YAML"),
        ("yaml", "backend: sqlite\n---\nbackend: leveldb", ":2", "another document"),
        ("yaml", "backend: *none", ":1 (backend)", "an alias has no meaning"),
        ("yaml", "*a : b", ":1 (?)", "a key must be text"),
        ("yaml", "%TAG !a! b\n---\nbackend: sqlite", "", "a tag directive has no meaning"),
        ("yaml", "backend: !!str sqlite", ":1 (backend)", "a tag has no meaning"),
        ("yaml", "? [a]\n: b", ":1 (?)", "a key must be text"),
        ("yaml", "backend: \"\\ud83d\"", ":1", "not YAML"),
        ("yaml", "<<: {backend: sqlite}", ":1 (<<)", "there is no key '<<'"),
    ])
    func syntax(format: String, text: String, place: String, problem: String) throws {
        try check("a.\(format)", text, place, problem)
    }

    /// Written as JSON, which is YAML too; both must refuse it with the same line and key.
    @Test(arguments: [
        ("\"backend\": 1", ":2 (backend)", "must be text, in quotes"),
        ("\"backend\": true", ":2 (backend)", "must be text, in quotes"),
        ("\"backend\": {}", ":2 (backend)", "must be text, in quotes"),
        ("\"location\": 1", ":2 (location)", "must be text, in quotes"),
        ("\"options\": \"a\"", ":2 (options)", "must be a mapping"),
        ("\"options\": []", ":2 (options)", "a list has no meaning"),
        ("\"sqlite\": true", ":2 (sqlite)", "must be a mapping"),
        ("\"sqlite\": null", ":2 (sqlite)", "null has no meaning"),
        ("\"backend\": null", ":2 (backend)", "null has no meaning"),
        ("\"options\": {\"create\": {}}", ":2 (options.create)", "has no meaning here"),
        ("\"options\": {\"create\": []}", ":2 (options.create)", "a list has no meaning"),
        ("\"options\": {\"create\": null}", ":2 (options.create)", "null has no meaning"),
        ("\"options\": {\"maximumStateBytes\": 1.0}", ":2 (options.maximumStateBytes)", "whole"),
        ("\"options\": {\"maximumStateBytes\": 1e3}", ":2 (options.maximumStateBytes)", "whole"),
        ("\"options\": {\"maximumStateBytes\": 010}", ":2 (options.maximumStateBytes)", "whole"),
        (
            "\"options\": {\"maximumStateBytes\": 99999999999999999999}",
            ":2 (options.maximumStateBytes)", "64 bits"
        ),
        (
            "\"options\": {\"maximumStateBytes\": \"5\"}", ":2 (options.maximumStateBytes)",
            "not the text '5'"
        ),
        ("\"options\": {\"create\": \"true\"}", ":2 (options.create)", "not the text 'true'"),
        ("\"options\": {\"create\": 1}", ":2 (options.create)", "true or false, not 1"),
        ("\"sqlite\": {\"label\": 5}", ":2 (sqlite.label)", "must be text, in quotes"),
        ("\"backend\": \"sqlit\"", ":2 (backend)", "did you mean 'sqlite'?"),
        ("\"backnd\": \"sqlite\"", ":2 (backnd)", "no key 'backnd'; did you mean 'backend'?"),
        ("\"levldb\": {}", ":2 (levldb)", "no key 'levldb'; did you mean 'leveldb'?"),
        ("\"create\": true", ":2 (create)", "'create' is an option: put it into 'options'"),
        ("\"options\": {\"creat\": true}", ":2 (options.creat)", "did you mean 'create'?"),
        ("\"leveldb\": {\"creat\": true}", ":2 (leveldb.creat)", "did you mean 'create'?"),
        ("\"leveldb\": {\"journal\": \"wal\"}", ":2 (leveldb.journal)", "has no option 'journal'"),
        (
            "\"options\": {\"compression\": true}", ":2 (options.compression)",
            "put it into a section \"leveldb\""
        ),
    ])
    func meaning(line: String, place: String, problem: String) throws {
        for name in ["a.json", "a.yaml"] {
            let backend = line.contains("\"backend\"") ? "" : ",\n\"backend\": \"sqlite\""
            let location = line.contains("\"location\"") ? "" : ",\n\"location\": \"/p\""
            try check(name, "{\n\(line)\(backend)\(location)}", place, problem)
        }
    }

    @Test(arguments: ["a.json", "a.yaml"])
    func keysThatAreThereTwice(name: String) throws {
        let top = "{\"backend\": \"sqlite\",\n\"location\": \"/p\",\n\"backend\": \"leveldb\"}"
        try check(name, top, ":3 (backend)", "there twice")
        let inner = "{\"options\": {\n\"create\": true, \"create\": true}}"
        try check(name, inner, ":2 (options.create)", "there twice")
    }

    /// Texts that are cheap to write and were dear to read: each is refused in time that grows with its bytes.
    enum Bomb: String, CaseIterable {
        case aliasesAsKeys, aliasesAsValues, nestedLists, nestedMappings, openLists, tagDirectives
        case manyKeys, manyAnchors, longScalar

        var text: String {
            func lines(_ count: Int, _ line: (Int) -> String) -> String {
                (0..<count).map(line).joined(separator: "\n")
            }
            switch self {
            case .aliasesAsKeys:
                return "a0: &a0 {x: y}\n"
                    + lines(24) { "? &a\($0 + 1) {? *a\($0) : 1, ? [*a\($0)] : 2}\n: 1" }
            case .aliasesAsValues:
                return "a0: &a0 x\n" + lines(24) { "a\($0 + 1): &a\($0 + 1) [*a\($0), *a\($0)]" }
            case .nestedLists: return "a: " + String(repeating: "[", count: 300_000)
            case .nestedMappings: return String(repeating: "{a: ", count: 150_000)
            case .openLists: return "a: " + String(repeating: "- ", count: 300_000) + "x"
            case .tagDirectives: return lines(60_000) { "%TAG !t\($0)! b" } + "\n---\na: b"
            case .manyKeys: return "{" + lines(60_000) { "\"k\($0)\": 1," } + "\"k0\": 1}"
            case .manyAnchors: return lines(60_000) { "k\($0): &a\($0) 1" } + "\nk0: 2"
            case .longScalar: return "backend: " + String(repeating: "x", count: 900_000)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: ["a.json", "a.yaml"], Bomb.allCases)
    func bombs(name: String, bomb: Bomb) throws {
        let file = try directory.write(name, bomb.text)
        let start = ContinuousClock.now
        _ = try refusal { try fakes.resolve(file: file) }
        expect(ContinuousClock.now - start < .seconds(10))
    }
}
