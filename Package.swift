// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "browser-sessions",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BrowserSessions", targets: ["BrowserSessions"]),
        .library(name: "DirectoryBackend", targets: ["DirectoryBackend"]),
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

        // Backends. Each sees the core's public API and its own engine, nothing else.
        .target(
            name: "DirectoryBackend",
            dependencies: ["BrowserSessions"],
            path: "Backends/Directory"
        ),

        .testTarget(
            name: "BackendTests",
            dependencies: ["BrowserSessions", "DirectoryBackend"],
            path: "Tests/BackendTests"
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
