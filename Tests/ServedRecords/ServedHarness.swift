public import BrowserSessions
import Foundation
import IncognitoEncryption
public import StorageConformance
import StorageEngines
import TestSupport

/// Stores of one server for each case. Its processes find the server in their environment.
public struct ServedHarness: StorageHarness {
    public var name: String { backend().name }
    public let persistence = HarnessPersistence.elsewhere
    public let options: [StorageOption] = []
    /// `recordserver`: a small program, where a test program takes as long to start as a case to run.
    public let child: ChildCommand?
    /// Whether incognito is sealed, with keys that end with the process.
    private let isSealed: Bool

    public init(startsProcesses: Bool, isSealed: Bool = false) throws {
        self.isSealed = isSealed
        let program = try startsProcesses ? BuiltProgram.named("recordserver").path : nil
        child = program.map {
            ChildCommand(executable: $0, arguments: ["child"] + (isSealed ? ["sealed"] : []))
        }
    }

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

    public func makeLocation() throws -> String { "\(try Self.socket)#\(UUID().uuidString)" }

    public func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await backend().open(configuration)
    }

    public func removeStore(_ configuration: StorageConfiguration) async throws(StorageError)
        -> Bool
    {
        try await backend().remove(configuration)
    }

    public func removeLocation(_ location: String) throws {
        try Self.control(location) { try $0.forget($1) }
    }

    public var takeOver: Takeover? {
        { location in try Self.control(location) { try $0.takeOver($1) } }
    }

    /// The path of the proxy takes the place of the server's.
    public var makeLink: MediumLink.Maker? {
        { timeout in
            let proxy = try LoopbackProxy(to: .path(try Self.socket))
            guard case .path(let path) = proxy.endpoint else { throw POSIXError(.EINVAL) }
            var environment = StoreEnvironment.system
            environment.timeout = timeout
            let backend = backend(in: environment)
            return MediumLink(over: proxy) { configuration throws(StorageError) in
                var linked = configuration
                linked.location = path + configuration.location.drop { $0 != "#" }
                return try await backend.open(linked)
            }
        }
    }

    public var troubles: MediumTroubles? {
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
