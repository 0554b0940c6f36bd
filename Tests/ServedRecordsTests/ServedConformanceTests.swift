import BrowserSessions
import Foundation
import IncognitoEncryption
import ServedRecords
import StorageConformance
import Synchronization
import Testing

/// Every requirement, for a store whose records are in another process.
@Suite("A store in another process conforms", .serialized)
struct ServedConformanceTests {
    @Test(arguments: ConformanceSuite.cases)
    func served(_ testCase: ConformanceCase) async throws {
        let harness = try ServedHarness(child: .test(named: #function))
        let verdict = try await testCase.check(any: harness)
        if case .notApplicable(let capability) = verdict {
            #expect(!abilities.contains(capability))
            try Test.cancel("needs \(capability.rawValue)")
        }
    }

    /// A key that the new owner has too must not be destroyed by the old one.
    @Test(arguments: ConformanceSuite.cases.filter { $0.requirement.group == .fence })
    func sealed(_ testCase: ConformanceCase) async throws {
        try await testCase.check(any: ServedHarness(child: .test(named: #function), isSealed: true))
    }

    /// What of the needs of requirements it has.
    private let abilities: Set<Capability> = [
        .reopening, .ownProcess, .processes, .processCrash, .previousGeneration,
        .incognitoSurvivesKill, .takeover, .erasure,
    ]
}

/// Stores of one server for the whole test, in whose environment its processes find it.
private struct ServedHarness: StorageHarness {
    var name: String { backend.name }
    let persistence = HarnessPersistence.elsewhere
    let options: [StorageOption] = []
    let child: ChildCommand?
    private let socket: String
    private let backend: StorageBackend

    private static let variable = "CONFORMANCE_RECORD_SERVER"
    private static let server = Mutex<ServerProcess?>(nil)

    /// - Parameter isSealed: whether incognito is sealed, with keys that end with the process.
    init(child: ChildCommand, isSealed: Bool = false) throws {
        self.child = child
        backend = isSealed ? Self.sealed : .served(by: ServedEngine())
        if let given = ProcessInfo.processInfo.environment[Self.variable] {
            socket = given
            return
        }
        socket = try Self.server.withLock { server in
            let started = try ServerProcess()
            server = started
            setenv(Self.variable, started.socket, 1)
            return started.socket
        }
    }

    private static let sealed = StorageBackend(
        name: "served-sealed", summary: "", sealedWith: IncognitoKeys(MemoryKeyStore()),
        connectedEngine: { _ in ServedEngine() })

    func makeLocation() -> String { "\(socket)#\(UUID().uuidString)" }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await backend.open(configuration)
    }

    var takeOver: Takeover? {
        { location in try Self.control(location) { try $0.takeOver($1) } }
    }

    func removeLocation(_ location: String) throws {
        try Self.control(location) { try $0.forget($1) }
    }

    private static func control(
        _ location: String, _ work: (ServerControl, _ store: String) throws -> Void
    ) throws {
        let parts = location.split(separator: "#").map(String.init)
        try work(ServerControl(path: parts[0]), parts[1])
    }
}
