// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "browser-sessions",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BrowserSessions", targets: ["BrowserSessions"]),
        .library(name: "IncognitoEncryption", targets: ["IncognitoEncryption"]),
        .library(name: "DirectoryBackend", targets: ["DirectoryBackend"]),
        .library(name: "SQLiteBackend", targets: ["SQLiteBackend"]),
        .library(name: "LevelDBBackend", targets: ["LevelDBBackend"]),
        .library(name: "BackendSelection", targets: ["BackendSelection"]),
        .library(name: "BrowserModel", targets: ["BrowserModel"]),
        .library(name: "SessionInterop", targets: ["SessionInterop"]),
        .library(name: "SessionLifecycle", targets: ["SessionLifecycle"]),
        .library(name: "SessionRestoration", targets: ["SessionRestoration"]),
        .library(name: "SessionSamples", targets: ["SessionSamples"]),
        .library(name: "SessionTesting", targets: ["SessionTesting"]),
        .library(name: "StorageConformance", targets: ["StorageConformance"]),
        .library(name: "StorageBenchmark", targets: ["StorageBenchmark"]),
        .executable(name: "demobrowser", targets: ["demobrowser"]),
        .executable(name: "sessionctl", targets: ["sessionctl"]),
        .executable(name: "storagebench", targets: ["storagebench"]),
        .executable(name: "storagecheck", targets: ["storagecheck"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The core. It depends on nothing but the C shim beside it.
        .target(name: "CPlatform", path: "Sources/BrowserSessions/CPlatform"),
        .target(
            name: "BrowserSessions",
            dependencies: ["CPlatform"],
            path: "Sources/BrowserSessions",
            exclude: ["CPlatform", "Codec/records.proto"]
        ),

        // Seals the incognito side; apart from the core, because swift-crypto takes long to build.
        .target(
            name: "IncognitoEncryption",
            dependencies: [
                "BrowserSessions", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/IncognitoEncryption"
        ),

        // Backends. Each sees the core's public API, the encryption and its own engine, nothing else.
        .target(
            name: "DirectoryBackend",
            dependencies: ["BrowserSessions", "IncognitoEncryption"],
            path: "Backends/Directory"
        ),
        .systemLibrary(
            name: "CSQLite",
            path: "Backends/SQLite/CSQLite",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(
            name: "SQLiteBackend",
            dependencies: ["BrowserSessions", "CSQLite", "IncognitoEncryption"],
            path: "Backends/SQLite",
            exclude: ["CSQLite"]
        ),
        .systemLibrary(
            name: "CLevelDB",
            path: "Backends/LevelDB/CLevelDB",
            providers: [.apt(["libleveldb-dev"]), .brew(["leveldb"])]
        ),
        .target(
            name: "LevelDBBackend",
            dependencies: ["BrowserSessions", "CLevelDB", "IncognitoEncryption"],
            path: "Backends/LevelDB",
            exclude: ["CLevelDB"]
        ),

        // Libraries around the core.
        .target(
            name: "BackendSelection",
            dependencies: ["BrowserSessions", .product(name: "Yams", package: "Yams")],
            path: "Sources/BackendSelection"
        ),
        .systemLibrary(
            name: "CLZ4",
            path: "Sources/SessionInterop/CLZ4",
            providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]
        ),
        .target(
            name: "SessionInterop",
            dependencies: [
                "BrowserSessions", "CLZ4",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            path: "Sources/SessionInterop",
            exclude: ["CLZ4", "ChromeIOS/chrome_ios.proto"]
        ),
        .target(
            name: "SessionSamples",
            dependencies: ["BrowserSessions"],
            path: "Sources/SessionSamples"
        ),
        .target(
            name: "SessionTesting",
            dependencies: ["BrowserModel", "BrowserSessions", "SessionRestoration"],
            path: "Sources/SessionTesting"
        ),

        // The host layer. The model knows no storage.
        .target(
            name: "BrowserModel", dependencies: ["BrowserSessions"], path: "Sources/BrowserModel"
        ),

        // Saves and restores a model through any storage.
        .target(
            name: "SessionRestoration",
            dependencies: [
                "BrowserModel", "BrowserSessions",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            path: "Sources/SessionRestoration"
        ),

        // For servers: restores at start, saves at shutdown. Apart, for what it depends on.
        .target(
            name: "SessionLifecycle",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/SessionLifecycle"
        ),

        // The conformance suite: sees no backend.
        .target(
            name: "StorageConformance",
            dependencies: ["BrowserSessions", "SessionSamples"],
            path: "Conformance"
        ),

        // Tools: the only targets, beside tests, that see several backends.
        // What the programs share: their backends, how they are told a store, how they end.
        .target(
            name: "ToolSupport",
            dependencies: [
                "BackendSelection", "BrowserSessions", "DirectoryBackend", "LevelDBBackend",
                "SQLiteBackend",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/ToolSupport"
        ),
        .executableTarget(
            name: "sessionctl",
            dependencies: [
                "BackendSelection", "BrowserSessions", "SessionInterop", "SessionSamples",
                "ToolSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/sessionctl",
            exclude: ["Demo/storage.json"]
        ),
        .target(
            name: "StorageBenchmark",
            dependencies: [
                "BackendSelection", "BrowserSessions", "SessionSamples",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            path: "Sources/StorageBenchmark"
        ),
        .executableTarget(
            name: "storagebench",
            dependencies: [
                "BackendSelection", "BrowserSessions", "LevelDBBackend", "SQLiteBackend",
                "StorageBenchmark", "ToolSupport",
            ],
            path: "Sources/storagebench"
        ),
        .executableTarget(
            name: "storagecheck",
            dependencies: [
                "BackendSelection", "BrowserSessions", "StorageConformance", "ToolSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/storagecheck"
        ),

        // A browser in the terminal: the example of a host.
        .executableTarget(
            name: "demobrowser",
            dependencies: [
                "BackendSelection", "BrowserModel", "BrowserSessions", "SessionRestoration",
                "ToolSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/demobrowser"
        ),

        // What several of the tests below need.
        .target(
            name: "TestSupport", dependencies: ["BrowserSessions"], path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "BrowserSessionsTests",
            dependencies: [
                "BrowserSessions", "CPlatform", "SessionSamples",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            path: "Tests/BrowserSessionsTests"
        ),
        .testTarget(
            name: "BrowserModelTests",
            dependencies: ["BrowserModel", "BrowserSessions", "SessionSamples", "TestSupport"],
            path: "Tests/BrowserModelTests"
        ),
        .testTarget(
            name: "SessionLifecycleTests",
            dependencies: [
                "BrowserModel", "BrowserSessions", "SessionLifecycle", "SessionRestoration",
                "SessionTesting", "TestSupport",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            path: "Tests/SessionLifecycleTests"
        ),
        .testTarget(
            name: "SessionRestorationTests",
            dependencies: [
                "BrowserModel", "BrowserSessions", "DirectoryBackend", "LevelDBBackend",
                "SQLiteBackend", "SessionRestoration", "SessionSamples", "SessionTesting",
                "TestSupport", .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            path: "Tests/SessionRestorationTests"
        ),
        .testTarget(
            name: "BackendTests",
            dependencies: [
                "BrowserSessions", "DirectoryBackend", "IncognitoEncryption", "LevelDBBackend",
                "SQLiteBackend", "SessionSamples", "TestSupport",
            ],
            path: "Tests/BackendTests"
        ),
        .testTarget(
            name: "IncognitoEncryptionTests",
            dependencies: ["BrowserSessions", "IncognitoEncryption"],
            path: "Tests/IncognitoEncryptionTests"
        ),
        .testTarget(
            name: "SessionSamplesTests",
            dependencies: ["SessionSamples", "BrowserSessions"],
            path: "Tests/SessionSamplesTests"
        ),
        .testTarget(
            name: "SessionTestingTests",
            dependencies: [
                "BrowserModel", "BrowserSessions", "SessionRestoration", "SessionSamples",
                "SessionTesting", "StorageConformance",
                "TestSupport",
            ],
            path: "Tests/SessionTestingTests"
        ),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "BrowserSessions", "DirectoryBackend", "LevelDBBackend", "SQLiteBackend",
                "TestSupport",
            ],
            path: "Tests/EngineTests"
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "BackendSelection", "BrowserSessions", "DirectoryBackend", "LevelDBBackend",
                "SQLiteBackend", "SessionSamples", "StorageConformance",
            ],
            path: "Tests/ConformanceTests"
        ),
        .testTarget(
            name: "StorageBenchmarkTests",
            dependencies: [
                "BackendSelection", "BrowserSessions", "DirectoryBackend", "SessionSamples",
                "StorageBenchmark", "TestSupport", "storagebench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/StorageBenchmarkTests"
        ),
        .testTarget(
            name: "StoragecheckTests",
            dependencies: [
                "BackendSelection", "BrowserSessions", "StorageConformance", "TestSupport",
                "storagecheck",
            ],
            path: "Tests/StoragecheckTests"
        ),
        .testTarget(
            name: "BackendSelectionTests",
            dependencies: ["BackendSelection", "BrowserSessions"],
            path: "Tests/BackendSelectionTests"
        ),
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "BackendSelection", "BrowserModel", "BrowserSessions", "DirectoryBackend",
                "LevelDBBackend", "SQLiteBackend", "SessionRestoration", "TestSupport",
            ],
            path: "Tests/ReadmeTests"
        ),
        .testTarget(
            name: "SessionInteropTests",
            dependencies: ["SessionInterop", "BrowserSessions", "CLZ4"],
            path: "Tests/SessionInteropTests",
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "DemobrowserTests",
            dependencies: [
                "BrowserModel", "BrowserSessions", "SessionRestoration", "SessionSamples",
                "TestSupport", "demobrowser",
            ],
            path: "Tests/DemobrowserTests"
        ),
        .testTarget(
            name: "SessionctlTests",
            dependencies: ["BackendSelection", "BrowserSessions", "ToolSupport", "sessionctl"],
            path: "Tests/SessionctlTests"
        ),
    ],
    swiftLanguageModes: [.v6]
)

/// One set of compiler settings for every Swift target of the package.
let houseSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
for target in package.targets where target.type != .system && target.name != "CPlatform" {
    target.swiftSettings = houseSettings
}
