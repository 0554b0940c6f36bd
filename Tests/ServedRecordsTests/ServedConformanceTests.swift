import BrowserSessions
import Foundation
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

    /// What of the needs of requirements it has.
    private let abilities: Set<Capability> = [
        .reopening, .ownProcess, .processes, .processCrash, .previousGeneration,
        .incognitoSurvivesKill,
    ]
}

/// Stores of one server for the whole test, in whose environment its processes find it.
private struct ServedHarness: StorageHarness {
    let name = "served"
    let persistence = HarnessPersistence.elsewhere
    let options: [StorageOption] = []
    let child: ChildCommand?
    private let socket: String

    private static let variable = "CONFORMANCE_RECORD_SERVER"
    private static let server = Mutex<ServerProcess?>(nil)

    init(child: ChildCommand) throws {
        self.child = child
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

    func makeLocation() -> String { "\(socket)#\(UUID().uuidString)" }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await StorageBackend.served(by: ServedEngine()).open(configuration)
    }

    func removeLocation(_ location: String) throws {
        let parts = location.split(separator: "#").map(String.init)
        try ServerControl(path: parts[0]).forget(parts[1])
    }
}
