import BackendSelection
import BrowserSessions
import Expectations
import Foundation

struct SelectionTests {
    let fakes = Fakes()

    @Test func openingPassesTheConfigurationOn() async throws {
        let layer = SelectionLayer.code(
            backend: "sqlite", location: "/p", options: ["label": .text("x")])
        let selector = BackendSelector(registry: try fakes.registry(), layers: [layer])
        let error = await expect(throws: StorageError.self) { try await selector.open() }
        let blocking = expect(throws: StorageError.self) { try fakes.resolve(layer).openBlocking() }
        for message in [error?.message, blocking?.message] {
            expect(message, is: "'sqlite' opens nothing here")
        }
        let expected = StorageConfiguration(location: "/p", options: ["label": .text("x")])
        expect(fakes.recorder.configurations, is: [expected, expected])
    }

    @Test func nothingSelectsNoBackend() async throws {
        let message = try refusal { try fakes.resolve(storage: nil) }
        expect(message.contains("pass --storage BACKEND:///path, set SESSION_STORAGE_BACKEND"))
        expect(message.contains("there is: directory, leveldb, memory, sqlite"))
        expect(fakes.recorder.configurations.isEmpty)
        let location = try refusal { try fakes.resolve(.code(backend: "memory")) }
        expect(location.contains("no location is selected for backend 'memory'"))
        let empty = try refusal { try fakes.resolve(.code(backend: "memory", location: "")) }
        expect(empty.contains("code: the path is empty"))
    }

    @Test(arguments: ["create", "=true", ""])
    func argumentsNeedANameAndAValue(option: String) throws {
        let message = try refusal { try fakes.resolve(storage: "sqlite:p", options: [option]) }
        expect(message.contains("command line (--option): write --option NAME=VALUE"))
    }

    @Test func anArgumentIsGivenOnce() throws {
        let message = try refusal {
            try fakes.resolve(storage: "sqlite:p", options: ["create=true", "create=true"])
        }
        expect(message.contains("command line (--option create): the option is there twice"))
    }

    @Test func sectionsOfUnknownBackendsAreRefusedInLayersToo() throws {
        var layer = SelectionLayer.code(backend: "sqlite", location: "/p")
        layer.sections["lmdb"] = .init(source: .code, options: [:])
        expect(try refusal { try fakes.resolve(layer) }.contains("there is no backend 'lmdb'"))
    }

    @Test func explanationsAreEncoded() throws {
        let selection = try fakes.resolve(storage: "sqlite:///p?pin=5")
        let data = try JSONEncoder().encode(selection.explanation)
        let entries = try require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        expect(entries.count, is: selection.explanation.entries.count)
        let backend = try require(entries.first)
        expect(backend["name"] as? String == "backend")
        expect(backend["value"] as? String == "sqlite")
        expect(backend["source"] as? String == "URL of --storage")
        expect(backend["level"] as? String == "url")
        let pin = try require(entries.first { $0["name"] as? String == "pin" })
        expect(pin["value"] as? String == "•••")
        expect(pin["isSecret"] as? Bool == true)
        let overridden = try require(pin["overridden"] as? [[String: Any]])
        expect(overridden.map { $0["level"] as? String }, is: ["default"])
    }
}
