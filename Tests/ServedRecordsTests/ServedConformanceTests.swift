import BrowserSessions
import Foundation
import IncognitoEncryption
import ServedRecords
import StorageConformance
import StorageEngines
import TestSupport
import Testing

/// Every requirement, for a store whose records are in another process. An engine of our own ends no
/// process, so only what needs one, and the nightly run, has one for each case.
@Suite("A store in another process conforms", .serialized)
struct ServedConformanceTests {
    @Test(arguments: tried)
    func served(_ testCase: ConformanceCase) async throws {
        let child = testCase.hasOwnProcess ? ChildCommand.test(named: #function) : nil
        let verdict = try await testCase.check(any: ServedHarness(child: child))
        if case .notApplicable(let capability) = verdict {
            #expect(!abilities.contains(capability))
            try Test.cancel("needs \(capability.rawValue)")
        }
    }

    /// Of SHARED, with a change, one case of each requirement: the medium in the process of
    /// `SharedMediumTests` meets them all.
    private static var tried: [ConformanceCase] {
        var seen: Set<String> = []
        return ConformanceSuite.cases.filter {
            let isFirst = seen.insert($0.requirement.id).inserted
            return isFirst || TestRun.isNightly || $0.requirement.group != .shared
        }
    }

    /// A key that the new owner has too must not be destroyed by the old one.
    @Test(
        arguments: ConformanceSuite.cases.filter {
            $0.requirement.group == .fence || TestRun.isNightly && $0.requirement.group == .shared
        })
    func sealed(_ testCase: ConformanceCase) async throws {
        let child = testCase.hasOwnProcess ? ChildCommand.test(named: #function) : nil
        try await testCase.check(any: ServedHarness(child: child, isSealed: true))
    }

    /// What of the needs of requirements it has.
    private let abilities: Set<Capability> = [
        .reopening, .ownProcess, .processes, .processCrash, .previousGeneration,
        .incognitoSurvivesKill, .takeover, .erasure, .link, .troubles,
    ]
}

/// Stores of one server for each case, in whose environment its processes find it.
private struct ServedHarness: StorageHarness {
    var name: String { backend().name }
    let persistence = HarnessPersistence.elsewhere
    let options: [StorageOption] = []
    let child: ChildCommand?
    /// Whether incognito is sealed, with keys that end with the process.
    var isSealed = false

    private static let variable = "CONFORMANCE_RECORD_SERVER"
    private static let keys = IncognitoKeys(MemoryKeyStore())
    /// Started by the process of the case, as soon as it needs one.
    private static let server = Result {
        let server = try ServerProcess()
        setenv(variable, server.socket, 1)
        return server
    }

    private static var socket: String {
        get throws {
            try ProcessInfo.processInfo.environment[variable] ?? server.get().socket
        }
    }

    private func backend(in environment: StoreEnvironment = .system) -> StorageBackend {
        isSealed
            ? StorageBackend(
                name: "served-sealed", summary: "", sealedWith: Self.keys, in: environment,
                connectedEngine: { _ in ServedEngine() })
            : .served(by: ServedEngine(), in: environment)
    }

    func makeLocation() throws -> String { "\(try Self.socket)#\(UUID().uuidString)" }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await backend().open(configuration)
    }

    func removeLocation(_ location: String) throws {
        try Self.control(location) { try $0.forget($1) }
    }

    var takeOver: Takeover? {
        { location in try Self.control(location) { try $0.takeOver($1) } }
    }

    /// The path of the proxy takes the place of the server's.
    var makeLink: MediumLink.Maker? {
        { patience in
            let proxy = try LoopbackProxy(to: .path(try Self.socket))
            guard case .path(let path) = proxy.endpoint else { throw POSIXError(.EINVAL) }
            var environment = StoreEnvironment.system
            environment.patience = patience
            let backend = backend(in: environment)
            return MediumLink(over: proxy) { configuration throws(StorageError) in
                var linked = configuration
                linked.location = path + configuration.location.drop { $0 != "#" }
                return try await backend.open(linked)
            }
        }
    }

    var troubles: MediumTroubles? {
        MediumTroubles(
            [.restarted, .stopped],
            begin: { trouble, _ in
                let server = try Self.server.get()
                if trouble == .stopped { server.stop() } else { try server.restart() }
            },
            end: { trouble, _ in
                if trouble == .stopped { try Self.server.get().restart() }
            })
    }

    private static func control(
        _ location: String, _ work: (ServerControl, _ store: String) throws -> Void
    ) throws {
        let parts = location.split(separator: "#").map(String.init)
        try work(ServerControl(path: parts[0]), parts[1])
    }
}
