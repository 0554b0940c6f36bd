// swift-tools-version: 6.2
import PackageDescription

let sessions = [
    "BrowserModel", "BrowserSessions", "DirectoryBackend", "EngineConformance",
    "SessionRestoration",
].map { Target.Dependency.product(name: $0, package: "browser-sessions") }

let package = Package(
    name: "webkit-browser",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "browser-sessions", path: "../..", traits: [])],
    targets: [
        .systemLibrary(
            name: "CWebKitGTK", pkgConfig: "webkitgtk-6.0",
            providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        // What Swift can't say: signals, casts, functions with any number of arguments.
        .target(name: "CWebKit", dependencies: ["CWebKitGTK"]),
        // The main loop as an actor.
        .target(name: "GLibActor", dependencies: ["CWebKitGTK"]),
        .executableTarget(
            name: "webkitbrowser", dependencies: ["CWebKit", "CWebKitGTK", "GLibActor"] + sessions),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where ["GLibActor", "webkitbrowser"].contains(target.name) {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
