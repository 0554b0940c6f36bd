import BrowserSessions
import Expectations
import IncognitoEncryption
import StorageEngines
import Synchronization

/// The removal of stores with an engine that removes one namespace at a time.
struct ConnectedRemovalTests {
    private let window = SessionID(window: WindowID(high: 1, low: 1))
    private let incognito = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    private func place(create: Bool = true) -> StorageConfiguration {
        StorageConfiguration(location: "somewhere", options: ["create": .bool(create)])
    }

    private func open(_ engine: StrangeConnectedEngine, create: Bool = true) throws
        -> OrderedSessionStorage
    {
        try OrderedSessionStorage(opening: place(create: create), engine: engine)
    }

    private func remove(_ engine: StrangeConnectedEngine) throws(StorageError) -> Bool {
        try OrderedSessionStorage.remove(place(), engine: engine)
    }

    private func filled() throws -> StrangeConnectedEngine {
        let engine = StrangeConnectedEngine()
        let store = try open(engine)
        for id in [window, incognito] {
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "Window"), for: id)
            _ = try store.saveBlocking(changes, durability: .processCrash)
        }
        try store.closeBlocking()
        engine.state.withLock { $0.destructions = 0 }
        return engine
    }

    private func namespaces(_ engine: StrangeConnectedEngine) -> [String] {
        engine.state.withLock { $0.namespaces.keys.sorted() }
    }

    /// A dump that was restored elsewhere names the key of the store that it was made of.
    @Test func theKeyOfTheOriginalStays() throws {
        let protection = IncognitoProtection(cipher: AESGCMCipher(), keyStore: MemoryKeyStore())
        func configuration(_ location: String) -> StorageConfiguration {
            StorageConfiguration(location: location)
        }
        func open(_ engine: StrangeConnectedEngine, _ location: String) throws
            -> (store: OrderedSessionStorage, tabs: Int?)
        {
            let store = try OrderedSessionStorage(
                opening: configuration(location), engine: engine, incognito: protection)
            return (store, try store.restoreBlocking([incognito]).first?.tabs.count)
        }
        let (engine, copy) = (StrangeConnectedEngine(), StrangeConnectedEngine())
        var changes = SessionChanges()
        changes.put(TabMetadata(id: .random(), place: .middle), in: incognito)
        let first = try open(engine, "//host/live").store
        _ = try first.saveBlocking(changes, durability: .processCrash)
        try first.closeBlocking()
        let dump = engine.state.withLock { $0.namespaces }
        for isOpened in [false, true] {
            copy.state.withLock { $0.namespaces = dump }
            if isOpened {
                let (store, tabs) = try open(copy, "//host/copy")
                expect(tabs == 1 && store.traits.incognitoKeyOwner == "//host/live")
                try store.closeBlocking()
            }
            expect(
                try OrderedSessionStorage.remove(
                    configuration("//host/copy"), engine: copy, incognito: protection))
            let (live, tabs) = try open(engine, "//host/live")
            expect(tabs == 1 && live.traits.incognitoKeyOwner == nil)
            try live.closeBlocking()
        }
        expect(
            try OrderedSessionStorage.remove(
                configuration("//host/live"), engine: engine, incognito: protection))
        copy.state.withLock { $0.namespaces = dump }
        expect(try open(copy, "//host/copy").tabs == nil)
    }

    @Test func whatIsOpenStays() throws {
        let engine = try filled()
        let store = try open(engine)
        let error = expect(throws: StorageError.self) { _ = try remove(engine) }
        expect(error?.code == .locked && error?.operation == "remove")
        expect(try Set(store.sessionsBlocking()) == [window, incognito])
        try store.closeBlocking()
    }

    @Test func whatAnotherBackendMadeStays() throws {
        let engine = try filled()
        let other = StrangeConnectedEngine("other")
        let before = engine.state.withLock { $0.namespaces }
        other.state.withLock { $0.namespaces = before }
        let error = expect(throws: StorageError.self) { _ = try remove(other) }
        expect(error?.code, is: .incompatibleFormat)
        expect(other.state.withLock { $0.namespaces }, is: before)
        expect(other.state.withLock { $0.owner } == nil)
    }

    /// Once it was begun it goes on over another connection.
    @Test(arguments: 1...3) func aConnectionThatIsLost(at destruction: Int) throws {
        let engine = try filled()
        engine.behave { $0.destructions = destruction..<destruction + 1 }
        expect(try remove(engine))
        expect(namespaces(engine), is: [])
    }

    /// As after a kill: the next opener ends it, and finds no store.
    @Test(arguments: 1...3, [false, true])
    func oneThatIsNotEnded(from destruction: Int, isRemovedAgain: Bool) throws {
        let engine = try filled()
        engine.behave { $0.destructions = destruction..<Int.max }
        let error = expect(throws: StorageError.self) { _ = try remove(engine) }
        expect(error?.code == .unavailable && error?.effect == .applied)
        expect(namespaces(engine).contains("home"))
        engine.behave { $0 = .init() }
        if isRemovedAgain {
            expect(try remove(engine))
        } else {
            let error = expect(throws: StorageError.self) { try open(engine, create: false) }
            expect(error?.code, is: .notFound)
        }
        expect(namespaces(engine), is: [])
        let store = try open(engine)
        expect(try store.sessionsBlocking() == [])
        try store.closeBlocking()
    }

    @Test func aMarkWithoutAnAnswerIsFound() throws {
        let engine = try filled()
        engine.behave {
            $0.losingAnswers = StorageError(.unavailable, "no answer", effect: .indeterminate)
        }
        expect(try remove(engine))
        expect(namespaces(engine), is: [])
    }

    @Test func aBackendThatCannotRemove() throws {
        let engine = try filled()
        let before = engine.state.withLock { $0.namespaces }
        let backend = StorageBackend(name: "strange", summary: "") {
            configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine)
        }
        let error = expect(throws: StorageError.self) { try backend.removeBlocking(place()) }
        expect(error?.code == .unsupported && error?.message.contains("'strange'") == true)
        expect(engine.state.withLock { $0.namespaces }, is: before)
        var unknown = place()
        unknown.options["no-such"] = .bool(true)
        let refusal = expect(throws: StorageError.self) { try backend.removeBlocking(unknown) }
        expect(refusal?.code, is: .invalidConfiguration)
    }
}
