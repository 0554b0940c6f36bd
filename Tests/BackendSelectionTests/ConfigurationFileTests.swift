import BackendSelection
import BrowserSessions
import Expectations
import Foundation
import TestSupport

struct ConfigurationFileTests {
    let fakes = Fakes()
    let directory = TemporaryFolder()

    static let json = """
        {
            "backend": "sqlite",
            "location": "profiles/{backend}",
            "options": {"durability": "processCrash", "create": false, "maximumStateBytes": "4MiB"},
            "sqlite": {"pageCacheKiB": 512, "label": "\\u00e4\\ud83d\\ude00\\n"},
            "leveldb": {"compression": false}
        }
        """
    static let yaml = """
        # The store of the browser.
        backend: sqlite
        location: 'profiles/{backend}'
        options:
          durability: processCrash
          create: false
          maximumStateBytes: 4MiB
        sqlite: {pageCacheKiB: 512, label: "ä😀\\n"}
        leveldb:
          compression: false
        """

    @Test(arguments: [("a.json", json), ("a.yaml", yaml), ("a.yml", yaml), ("b.yaml", json)])
    func allFormatsSayTheSame(name: String, text: String) throws {
        // The YAML parser has no surrogate pairs.
        let text = name == "b.yaml" ? text.replacing("\\ud83d\\ude00", with: "😀") : text
        let selection = try fakes.resolve(file: try directory.write(name, text))
        expect(selection.backend.name, is: "sqlite")
        expect(selection.configuration.location, is: "\(directory.path)/profiles/sqlite")
        expect(
            selection.configuration.options,
            is: [
                "durability": .text("processCrash"), "create": .bool(false),
                "maximumStateBytes": .integer(4 << 20), "pageCacheKiB": .integer(512),
                "label": .text("ä😀\n"),
            ])
    }

    @Test func oneLineChangesTheBackend() throws {
        let text = Self.json.replacing("\"backend\": \"sqlite\"", with: "\"backend\": \"leveldb\"")
        let selection = try fakes.resolve(file: try directory.write("a.json", text))
        expect(selection.backend.name, is: "leveldb")
        expect(selection.configuration.location, is: "\(directory.path)/profiles/leveldb")
        expect(selection.configuration.options["compression"], is: .bool(false))
        expect(selection.configuration.options["pageCacheKiB"] == nil)
    }

    @Test(arguments: [
        ("/p", "/p"), ("~/p", "/home/me/p"), ("~", "/home/me/"), ("p", "DIR/p"),
        ("./p", "DIR/p"), ("../p", "DIR/../p"), ("{backend}", "DIR/sqlite"),
        ("/{backend}/{backend}.x", "/sqlite/sqlite.x"), ("/p q", "/p q"),
    ])
    func locations(written: String, location: String) throws {
        let file = try directory.write(
            "a.json", #"{"backend": "sqlite", "location": "\#(written)"}"#)
        let selection = try fakes.resolve(file: file)
        let expected = location.replacing("DIR", with: directory.path)
        expect(selection.configuration.location, is: expected)
    }

    @Test(arguments: ["", "{", "}", "{}", "p.{Backend}", "p.{backend", "{{backend}}"])
    func wrongLocationsAreRefused(written: String) throws {
        let file = try directory.write(
            "a.yaml", "backend: sqlite\nlocation: \"\(written)\"\n")
        let message = try refusal { try fakes.resolve(file: file) }
        expect(message.hasPrefix("select: \(file):2 (location): "), "\(message)")
    }

    @Test func aSectionIsStrongerThanTheOptionsOfItsFile() throws {
        let file = try directory.write(
            "a.json",
            """
            {"backend": "sqlite", "location": "/p", "options": {"create": true},
             "sqlite": {"create": false}}
            """)
        let selection = try fakes.resolve(file: file)
        expect(selection.configuration.options, is: ["create": .bool(false)])
        let entry = try require(selection.explanation.entries.first { $0.name == "create" })
        expect(entry.source, is: .file(path: file, key: "sqlite.create", line: 2))
        expect(
            entry.overridden.map(\.source.description),
            is: ["\(file):1 (options.create)", "default"])
    }

    @Test func filesThatCannotBeReadAreRefused() throws {
        let missing = "\(directory.path)/none.json"
        expect(
            try refusal { try fakes.resolve(file: missing) }
                == "select: \(missing): there is no such file; the file was named by command line"
                + " (--config) (invalidConfiguration)")
        let below = try directory.write("file", "") + "/a.json"
        expect(try refusal { try fakes.resolve(file: below) }.contains("no such file"))
        let folder = "\(directory.path)/folder.json"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        expect(try refusal { try fakes.resolve(file: folder) }.contains("this is a directory"))
        let name = try directory.write("a.toml", "backend = 1")
        expect(try refusal { try fakes.resolve(file: name) }.contains(".json, .yaml or .yml"))
        let large = try directory.write("l.json", String(repeating: " ", count: 1 << 20 + 1))
        expect(try refusal { try fakes.resolve(file: large) }.contains("1048576 bytes"))
        let endless = "\(directory.path)/endless.json"
        try FileManager.default.createSymbolicLink(
            atPath: endless, withDestinationPath: "/dev/zero")
        expect(try refusal { try fakes.resolve(file: endless) }.contains("1048576 bytes"))
        for name in ["latin.json", "latin.yaml"] {
            let latin = try directory.write([0x7B, 0xE4, 0x7D], to: name)
            expect(try refusal { try fakes.resolve(file: latin) }.contains("not UTF-8"))
        }
    }

    @Test(.enabled("the rights of files do not bind root", { geteuid() != 0 }))
    func theRightsOfAFileAreRespected() throws {
        let file = try directory.write("a.json", "{}")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        let message = try refusal(code: .permissionDenied) { try fakes.resolve(file: file) }
        expect(message.contains("rights"))
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        for name in ["a.json", "a.yaml"] {
            let file = try directory.write(
                name, "\u{FEFF}{\"backend\": \"memory\", \"location\": \"m\"}")
            expect(try fakes.resolve(file: file).backend.name == "memory")
        }
    }

    @Test func aFileMayBeNamedByAVariable() throws {
        let file = try directory.write("a.json", #"{"backend": "sqlite", "location": "/p"}"#)
        let selection = try fakes.resolve(environment: ["SESSION_STORAGE_CONFIG": file])
        expect(selection.explanation.entries.first?.value, is: file)
        let message = try refusal {
            try fakes.resolve(environment: ["SESSION_STORAGE_CONFIG": "none.json"])
        }
        expect(message.contains("/base/none.json: there is no such file; the file was named by"))
        expect(message.contains("environment variable SESSION_STORAGE_CONFIG"))
    }
}
