import BackendSelection
import BrowserSessions
import Expectations
import Foundation
import TestSupport

struct PrecedenceTests {
    let fakes = Fakes()

    /// From the weakest to the strongest; the default is below all of them.
    static let levels: [SelectionLevel] = [.file, .environment, .url, .commandLine, .code]
    static let pairs = levels.indices.flatMap { weak in
        levels[(weak + 1)...].map { (levels[weak], $0) }
    }

    /// A layer that says something of everything, with its level in each value.
    func layer(_ level: SelectionLevel, backend: String) -> SelectionLayer {
        let source = source(level)
        return SelectionLayer(
            level: level,
            backend: Stated(backend, from: source),
            location: Stated(LocationTemplate(literal: "/\(level.rawValue)"), from: source),
            options: ["label": Stated(.text(level.rawValue), from: source)])
    }

    func source(_ level: SelectionLevel) -> SelectionSource {
        switch level {
        case .backendDefault: .backendDefault
        case .file: .file(path: "/etc/a.json", key: "label", line: 7)
        case .environment: .environment(variable: "SESSION_STORAGE_X")
        case .url: .url(argument: "--storage")
        case .commandLine: .commandLine(argument: "--option label")
        case .code: .code
        }
    }

    @Test(arguments: pairs)
    func theStrongerLayerWins(weak: SelectionLevel, strong: SelectionLevel) throws {
        let weakLayer = layer(weak, backend: "sqlite")
        let strongLayer = layer(strong, backend: "sqlite")
        for layers in [[weakLayer, strongLayer], [strongLayer, weakLayer]] {
            let selector = BackendSelector(registry: try fakes.registry(), layers: layers)
            let selection = try selector.resolve()
            expect(selection.configuration.location, is: "/\(strong.rawValue)")
            expect(selection.configuration.options, is: ["label": .text(strong.rawValue)])
            let entry = try require(selection.explanation.entries.first { $0.name == "label" })
            expect(entry.value, is: strong.rawValue)
            expect(entry.source, is: source(strong))
            let overridden = [
                Stated(weak.rawValue, from: source(weak)), Stated("none", from: .backendDefault),
            ]
            expect(entry.overridden, is: overridden)
        }
    }

    @Test(arguments: pairs)
    func theStrongerBackendWins(weak: SelectionLevel, strong: SelectionLevel) throws {
        var weakLayer = layer(weak, backend: "leveldb")
        weakLayer.options = ["durability": Stated(.text("memory"), from: source(weak))]
        var strongLayer = layer(strong, backend: "sqlite")
        strongLayer.location = nil
        let selection = try fakes.resolve(weakLayer, strongLayer)
        expect(selection.backend.name, is: "sqlite")
        expect(selection.configuration.location, is: "/\(weak.rawValue)")
        expect(selection.configuration.options["durability"], is: .text("memory"))
        let backend = try require(selection.explanation.entries.first)
        expect(backend.overridden, is: [Stated("leveldb", from: source(weak))])
    }

    @Test(arguments: pairs)
    func mistakesInTheWeakerLayerAreRefusedToo(weak: SelectionLevel, strong: SelectionLevel)
        throws
    {
        let strongLayer = layer(strong, backend: "sqlite")
        var weakLayer = layer(weak, backend: "sqlit")
        expect(
            try refusal { try fakes.resolve(strongLayer, weakLayer) }
                .contains("\(source(weak)): there is no backend 'sqlit'; did you mean 'sqlite'?"))
        weakLayer = layer(weak, backend: "sqlite")
        weakLayer.options["creat"] = Stated(.text("true"), from: source(weak))
        expect(
            try refusal { try fakes.resolve(strongLayer, weakLayer) }
                .contains("\(source(weak)): backend 'sqlite' has no option 'creat'"))
        weakLayer.options = ["create": Stated(.text("maybe"), from: source(weak))]
        expect(
            try refusal { try fakes.resolve(strongLayer, weakLayer) }
                .contains(
                    "\(source(weak)): option 'create' of backend 'sqlite' must be true or false"))
    }

    @Test func optionsOfTheBackendThatWasOverriddenAreRefusedWithAdvice() throws {
        var file = layer(.file, backend: "sqlite")
        file.options["journal"] = Stated(.text("wal"), from: source(.file))
        var environment = layer(.environment, backend: "leveldb")
        environment.options = [:]
        let message = try refusal { try fakes.resolve(file, environment) }
        expect(message.hasPrefix("select: /etc/a.json:7 (label): backend 'leveldb' has no option"))
        expect(
            message.contains(
                "'journal' is an option of 'sqlite', but environment variable SESSION_STORAGE_X"
                    + " chose 'leveldb': put it into a section \"sqlite\""))
    }

    @Test func ofTwoLayersOfOneLevelTheFirstWins() throws {
        let selection = try fakes.resolve(
            .code(backend: "sqlite", location: "/1"), .code(backend: "leveldb", location: "/2"))
        expect(selection.backend.name, is: "sqlite")
        expect(selection.configuration.location, is: "/1")
    }

    @Test func allSourcesOfATool() throws {
        let directory = TemporaryFolder()
        let file = try directory.write(
            "a.yaml", "backend: directory\nlocation: f\noptions: {durability: memory}\n")
        let request = SelectionRequest(
            storage: "leveldb:u?create=true", configurationFile: file, options: ["create=false"],
            environment: [
                "SESSION_STORAGE_CONFIG": "/other.json", "SESSION_STORAGE_BACKEND": "memory",
                "SESSION_STORAGE_URL": "sqlite:///e?durability=processCrash",
            ],
            workingDirectory: "/base")
        let selection = try request.resolve(
            registry: try fakes.registry(), code: .code(location: "/code"))
        let expected: String = """
            configuration file    \(file)  from command line (--config)
                                    instead of /other.json  from environment variable \
            SESSION_STORAGE_CONFIG
            backend               leveldb  from URL of --storage
                                    instead of memory  from environment variable \
            SESSION_STORAGE_BACKEND
                                    instead of sqlite  from environment variable \
            SESSION_STORAGE_URL
                                    instead of directory  from \(file):1 (backend)
            location              /code  from code
                                    instead of /base/u  from URL of --storage
                                    instead of /e  from environment variable SESSION_STORAGE_URL
                                    instead of \(directory.path)/f  from \(file):2 (location)
            durability            processCrash  from environment variable SESSION_STORAGE_URL
                                    instead of memory  from \(file):3 (options.durability)
                                    instead of powerLoss  from default
            maximumStateBytes     16777216  from default
            restorePointInterval  10800  from default
            restorePointBytes     67108864  from default
            create                false  from command line (--option create)
                                    instead of true  from URL of --storage
                                    instead of true  from default
            access                readWrite  from default
            allowNetworkDisk      false  from default
            compression           true  from default
            pageCacheKiB          8  from default
            blockSize             1  from default
            """
        expect(selection.explain(), is: expected.split(separator: "\n").map(String.init))
        expect(selection.url, is: "leveldb:///code?create=false&durability=processCrash")
    }
}
