// swift-tools-version: 6.3
import PackageDescription

// Traits guard the dependencies of single products. Without a trait, its packages are not even
// fetched. A clone has the trait All, and a host writes `.package(url: …, traits: [])`. Exactly one
// trait is on by default, because SwiftPM passes several in an order that differs from run to run,
// and would then rebuild everything whenever it plans.
let yams = Target.Dependency.product(
    name: "Yams", package: "Yams", condition: .when(traits: ["All", "Everything", "YAML"]))
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser",
    condition: .when(traits: ["All", "Everything", "Tools"]))
// Without its trait, SwiftPM does not search for the system's library.
let libpq = Target.Dependency.target(
    name: "CPostgreSQL", condition: .when(traits: ["Everything", "PostgreSQL"]))
let postgresql = Target.Dependency.target(
    name: "PostgreSQLBackend", condition: .when(traits: ["Everything", "PostgreSQL"]))

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")

// The products. Each has the name of its target.
let libraries = [
    "BrowserSessions", "StorageEngines", "IncognitoEncryption", "DirectoryBackend", "SQLiteBackend",
    "LevelDBBackend", "PostgreSQLBackend", "BackendSelection", "BrowserModel", "RestorePlans",
    "SessionInterop", "SessionLifecycle", "SessionRestoration", "SessionSamples",
    "SessionTesting", "StorageConformance", "StorageBenchmark", "StorageCheck", "EngineConformance",
]
let programs = ["demobrowser", "sessionctl", "storagebench", "storagecheck"]

/// Returns a C library that the system's packages provide.
func systemLibrary(_ name: String, at path: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, path: path, providers: [.apt([apt]), .brew([brew])])
}

/// Returns a test target in the folder with its name.
func test(
    _ name: String, _ dependencies: [Target.Dependency]..., resources: [Resource]? = nil
) -> Target {
    .testTarget(
        name: name, dependencies: ["Expectations"] + dependencies.flatMap(\.self),
        path: "Tests/\(name)", resources: resources)
}

// Common dependencies of tests.
let core: [Target.Dependency] = ["BrowserSessions", "StorageEngines"]
let local: [Target.Dependency] = ["DirectoryBackend", "LevelDBBackend", "SQLiteBackend"]
let support: [Target.Dependency] = ["ChildProcesses", "StorageConformance", "TestSupport"]

let package = Package(
    name: "browser-sessions",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: libraries.map { .library(name: $0, targets: [$0]) }
        + programs.map { .executable(name: $0, targets: [$0]) },
    traits: [
        .default(enabledTraits: ["All"]),
        .trait(name: "All", description: "What YAML, Importers and Tools bring."),
        .trait(name: "Everything", description: "What All and PostgreSQL bring."),
        .trait(
            name: "YAML",
            description: "BackendSelection reads configuration files in YAML too, not only JSON."),
        .trait(
            name: "Importers",
            description: "The product SessionInterop: reads the sessions of other browsers."),
        .trait(name: "Tools", description: "StorageCheck, StorageBenchmark and the programs."),
        .trait(
            name: "PostgreSQL",
            description: "The backend of PostgreSQLBackend, and in the programs; needs libpq-dev."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Targets that do not compile without their trait, so that a missing trait is a single clear error.
        .target(name: "NeedsImporters", path: "Sources/Traits/NeedsImporters"),
        .target(name: "NeedsTools", path: "Sources/Traits/NeedsTools"),

        // The part of the core that hosts see: the contract, stored values, and the choice of a backend.
        .target(name: "BrowserSessions"),

        // Everything that turns an engine into a backend. The core depends only on its own C shim.
        .target(name: "CPlatform", path: "Sources/StorageEngines/CPlatform"),
        .target(
            name: "StorageEngines",
            dependencies: ["BrowserSessions", "CPlatform"],
            exclude: ["CPlatform", "Records/records.proto"]),

        // The ciphers and hashes of the platform: OpenSSL on Linux, CryptoKit on Apple platforms.
        .target(
            name: "COpenSSL",
            path: "Sources/PlatformCrypto/COpenSSL",
            linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
        .target(
            name: "PlatformCrypto",
            dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))],
            path: "Sources/PlatformCrypto",
            exclude: ["COpenSSL"]),

        // Encryption of the incognito partition. It is separate, so that the core needs no crypto library.
        .target(
            name: "IncognitoEncryption",
            dependencies: ["BrowserSessions", "StorageEngines", "CPlatform", "PlatformCrypto"]),

        // Backends. Each sees only the core's public API, the encryption, and its own engine.
        .target(
            name: "DirectoryBackend",
            dependencies: ["BrowserSessions", "StorageEngines", "IncognitoEncryption"],
            path: "Backends/Directory"),
        systemLibrary(
            "CSQLite", at: "Backends/SQLite/CSQLite", apt: "libsqlite3-dev", brew: "sqlite"),
        .target(
            name: "SQLiteBackend",
            dependencies: ["BrowserSessions", "StorageEngines", "CSQLite", "IncognitoEncryption"],
            path: "Backends/SQLite",
            exclude: ["CSQLite"]),
        systemLibrary(
            "CLevelDB", at: "Backends/LevelDB/CLevelDB", apt: "libleveldb-dev", brew: "leveldb"),
        .target(
            name: "LevelDBBackend",
            dependencies: ["BrowserSessions", "StorageEngines", "CLevelDB", "IncognitoEncryption"],
            path: "Backends/LevelDB",
            exclude: ["CLevelDB"]),
        // This target is empty without its trait.
        systemLibrary(
            "CPostgreSQL", at: "Backends/PostgreSQL/CPostgreSQL", apt: "libpq-dev", brew: "libpq"),
        .target(
            name: "PostgreSQLBackend",
            dependencies: ["BrowserSessions", "StorageEngines", "IncognitoEncryption", libpq],
            path: "Backends/PostgreSQL",
            exclude: ["CPostgreSQL"]),

        // Libraries around the core.
        // Other processes, for the programs, the conformance suite, and tests. It is not a product.
        .target(
            name: "ChildProcesses",
            dependencies: ["BrowserSessions", "CPlatform", "StorageEngines"]),
        .target(name: "BackendSelection", dependencies: ["BrowserSessions", yams]),
        // What hosts do with restore points. It uses only the contract, and no backend uses it.
        .target(name: "RestorePlans", dependencies: ["BrowserSessions"]),
        systemLibrary("CLZ4", at: "Sources/SessionInterop/CLZ4", apt: "liblz4-dev", brew: "lz4"),
        .target(
            name: "SessionInterop",
            dependencies: [
                "BrowserSessions", "CLZ4", "NeedsImporters", "PlatformCrypto", "RestorePlans",
            ],
            exclude: ["CLZ4"],
            // The page of an export is embedded in the program, so that it needs no other files.
            resources: [.embedInCode("HTML/Page")]),
        .target(name: "SessionSamples", dependencies: ["BrowserSessions"]),
        .target(
            name: "SessionTesting",
            dependencies: [
                "StorageEngines", "BrowserModel", "BrowserSessions", "SessionRestoration",
            ]),

        // The host layer. The model does not know the storage; it writes its files as stores write theirs.
        .target(name: "BrowserModel", dependencies: ["BrowserSessions", "StorageEngines"]),

        // Saving and restoring of a model through any storage.
        .target(
            name: "SessionRestoration",
            dependencies: ["BrowserModel", "BrowserSessions", "RestorePlans", logging, metrics]),

        // The life cycle of servers: restores at start and saves at shutdown.
        .target(name: "SessionLifecycle", dependencies: [logging]),

        // The conformance suite, which sees no backend. CDisk watches what the suite's process does to files.
        .target(name: "CDisk", path: "Conformance/CDisk"),
        .target(
            name: "StorageConformance",
            dependencies: [
                "BrowserSessions", "StorageEngines", "CDisk", "ChildProcesses",
                "SessionSamples",
            ],
            path: "Conformance",
            exclude: ["CDisk", "Engines"]),
        // The suite for engine bindings, which knows no engine.
        .target(
            name: "EngineConformance",
            dependencies: [
                "BrowserModel", "BrowserSessions", "SessionRestoration", "SessionTesting",
            ],
            path: "Conformance/Engines"),

        // The common parts of command lines, and the complete storagecheck for any backends.
        .target(
            name: "CommandLineSupport",
            dependencies: [
                "StorageEngines", "BackendSelection", "BrowserSessions", "NeedsTools",
                "RestorePlans", argumentParser,
            ]),
        .target(
            name: "StorageCheck",
            dependencies: [
                "StorageEngines", "BackendSelection", "BrowserSessions", "ChildProcesses",
                "CommandLineSupport", "NeedsTools", "StorageConformance",
                argumentParser,
            ]),

        // Tools, the only targets except tests that see several backends.
        // The common parts of the programs: their backends, the arguments for a store, and exit codes.
        .target(
            name: "ToolSupport",
            dependencies: [
                "BackendSelection", "BrowserSessions", "CommandLineSupport", "DirectoryBackend",
                "LevelDBBackend", "NeedsTools", "SQLiteBackend", argumentParser, postgresql,
            ]),
        .executableTarget(
            name: "sessionctl",
            dependencies: [
                "StorageEngines", "BackendSelection", "BrowserSessions", "ChildProcesses",
                "CommandLineSupport", "NeedsTools", "RestorePlans", "SessionInterop",
                "SessionSamples", "ToolSupport", argumentParser,
            ],
            exclude: ["Demo/storage.json"]),
        .target(
            name: "StorageBenchmark",
            dependencies: [
                "StorageEngines", "BackendSelection", "BrowserModel", "BrowserSessions", "CSQLite",
                "ChildProcesses", "CommandLineSupport", "NeedsTools", "RestorePlans",
                "SessionRestoration", "SessionSamples", argumentParser, logging,
            ]),
        .executableTarget(
            name: "storagebench",
            dependencies: ["BackendSelection", "StorageBenchmark", "ToolSupport"]),
        .executableTarget(
            name: "storagecheck",
            dependencies: ["BackendSelection", "StorageCheck", "ToolSupport"]),

        // A browser in the terminal, as an example of a host.
        .executableTarget(
            name: "demobrowser",
            dependencies: [
                "BackendSelection", "BrowserModel", "BrowserSessions", "ChildProcesses",
                "CommandLineSupport", "NeedsTools", "RestorePlans", "SessionRestoration",
                "StorageEngines", "ToolSupport", argumentParser, logging,
            ]),

        // The expectations of all tests, and the common parts of several.
        .target(name: "Expectations", path: "Tests/Expectations"),
        .target(
            name: "TestSupport",
            dependencies: core + ["ChildProcesses", "StorageConformance"],
            path: "Tests/TestSupport"),
        // An engine that keeps its records in another process, and the program of that process.
        .target(
            name: "ServedRecords",
            dependencies: support + ["IncognitoEncryption", "StorageEngines"],
            path: "Tests/ServedRecords"),
        .executableTarget(
            name: "recordserver", dependencies: ["ServedRecords"] + support,
            path: "Tests/RecordServer"),
        .target(
            name: "BrowserDriving", dependencies: ["ChildProcesses", "TestSupport"],
            path: "Tests/BrowserDriving"),
        test(
            "ServedRecordsTests", core, support,
            ["IncognitoEncryption", "ServedRecords", "recordserver"]),
        test("BrowserSessionsTests", core, ["RestorePlans", "SessionSamples", "TestSupport"]),
        test(
            "StorageEnginesTests", core, support,
            [
                "CPlatform", "DirectoryBackend", "IncognitoEncryption", "RestorePlans",
                "SessionSamples",
            ]),
        test(
            "BrowserModelTests", core, support,
            ["BrowserModel", "SessionSamples"]),
        test(
            "SessionLifecycleTests",
            [
                "BrowserModel", "BrowserSessions", "DirectoryBackend", "SessionLifecycle",
                "SessionRestoration", "SessionTesting", "TestSupport",
            ]),
        test(
            "SessionRestorationTests", local, core,
            [
                "BrowserModel", "RestorePlans", "SessionRestoration", "SessionSamples",
                "SessionTesting", "TestSupport",
                .product(name: "InMemoryLogging", package: "swift-log"), logging,
                metrics, .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        test(
            "PlatformCryptoTests",
            [
                "PlatformCrypto", "TestSupport",
                .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
            ]),
        test("IncognitoEncryptionTests", core, support, ["CPlatform", "IncognitoEncryption"]),
        test("SessionSamplesTests", core, ["SessionSamples"]),
        test(
            "SessionTestingTests", core, support,
            ["BrowserModel", "SessionRestoration", "SessionSamples", "SessionTesting"]),
        test("EngineTests", local, core, support, ["SessionSamples"]),
        test(
            "ConformanceTests", local, core, support,
            ["BackendSelection", "SessionSamples", "storagecheck"]),
        test(
            "StorageBenchmarkTests", core, support,
            [
                "BackendSelection", "CommandLineSupport", "DirectoryBackend", "SessionSamples",
                "StorageBenchmark", "storagebench", argumentParser,
            ]),
        test(
            "StoragecheckTests",
            [
                "BrowserSessions", "CommandLineSupport", "StorageCheck", "StorageConformance",
                "TestSupport", "storagecheck", yams,
            ]),
        test(
            "EngineConformanceTests",
            [
                "BrowserModel", "BrowserSessions", "EngineConformance", "SessionRestoration",
                "SessionSamples", "SessionTesting", "TestSupport",
            ]),
        test("BackendSelectionTests", ["BackendSelection", "BrowserSessions", "TestSupport"]),
        .executableTarget(
            name: "readmehost", dependencies: ["DirectoryBackend", "SessionRestoration"],
            path: "Tests/ReadmeHost"),
        test(
            "ReadmeTests", local, core, support, ["BackendSelection", "RestorePlans", "readmehost"]),
        test(
            "SessionInteropTests", core,
            [
                "SessionInterop", "SessionSamples", "DirectoryBackend", "PlatformCrypto",
                "SessionTesting", "StorageConformance", "TestSupport",
            ], resources: [.copy("Fixtures")]),
        // Real browsers check what is read from and written for them. These tests only run with BROWSERS=1.
        test(
            "RealBrowserTests", core, support,
            ["BrowserDriving", "SessionInterop", "SessionSamples"]),
        test(
            "DemobrowserTests", core, support,
            [
                "BrowserModel", "RestorePlans", "SessionRestoration", "SessionSamples",
                "SessionTesting", "demobrowser",
            ]),
        test(
            "SessionctlTests", core, support,
            [
                "BackendSelection", "CommandLineSupport", "IncognitoEncryption", "RestorePlans",
                "SessionInterop", "ToolSupport", "demobrowser", "sessionctl", "storagebench",
                "storagecheck",
            ]),
        test(
            "PostgreSQLTests", core, support,
            [
                "BackendSelection", "IncognitoEncryption", "SessionSamples", "sessionctl",
                "storagebench", "storagecheck", libpq, postgresql,
            ]),
        test("CommandLineTests", core, support, ["CommandLineSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

/// The compiler settings of every Swift target in the package.
let houseSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .define("YAML", .when(traits: ["All", "Everything"])),
    .define("Importers", .when(traits: ["All", "Everything"])),
    .define("Tools", .when(traits: ["All", "Everything"])),
    .define("PostgreSQL", .when(traits: ["Everything"])),
]
let targetsInC = ["COpenSSL", "CPlatform", "CDisk"]
// What only our scripts set, and no host: programs to build in one go, of which the first waits for the rest,
// the only tests to build, and flags of targets, as "-O BrowserSessions … -Onone StorageConformance …", each for
// the targets that follow it. They go to the frontend, because SwiftPM adds its own last.
func words(_ variable: String) -> [String] {
    (Context.environment[variable] ?? "").split(separator: " ").map(String.init)
}
let together = words("BUILT_TOGETHER")
for target in package.targets where target.name == together.first {
    target.dependencies += together.dropFirst().map { .target(name: $0) }
}
let alone = words("TESTS_ALONE")
package.targets.removeAll { $0.type == .test && !alone.isEmpty && !alone.contains($0.name) }
var (flag, flags) = ("", [String: [SwiftSetting]]())
for word in words("TARGET_FLAGS") {
    if word.hasPrefix("-") {
        flag = word
    } else {
        flags[word] = [.unsafeFlags(["-Xfrontend", flag])]
    }
}
for target in package.targets
where target.type != .system && !targetsInC.contains(target.name) {
    target.swiftSettings = houseSettings + (flags[target.name] ?? [])
}
