// swift-tools-version: 6.3
import PackageDescription

let model = ["BrowserModel", "BrowserSessions"].map(session)
let browser =
    model
    + ["DirectoryBackend", "EngineConformance", "SessionRestoration"].map(session)

func session(_ name: String) -> Target.Dependency {
    .product(name: name, package: "browser-sessions")
}

let package = Package(
    name: "webkit-browser",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "GTKSupport", targets: ["GTKSupport"]),
        .library(name: "WebKitGTKEngine", targets: ["WebKitGTKEngine"]),
        .executable(name: "webkitbrowser", targets: ["webkitbrowser"]),
    ],
    dependencies: [.package(name: "browser-sessions", path: "../..", traits: [])],
    targets: [
        .systemLibrary(
            name: "CWebKitGTK", pkgConfig: "webkitgtk-6.0",
            providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        // The calls that Swift cannot express: signals, casts, and functions with a variable number of arguments.
        .target(name: "CWebKit", dependencies: ["CWebKitGTK"]),
        // The main loop as an actor, and widgets with signals that arrive on it.
        .target(name: "GTKSupport", dependencies: ["CWebKit", "CWebKitGTK"]),
        // WebKitGTK as an engine of the host layer, for any browser.
        .target(
            name: "WebKitGTKEngine",
            dependencies: ["CWebKit", "CWebKitGTK", "GTKSupport"] + model),
        .executableTarget(
            name: "webkitbrowser",
            dependencies: ["CWebKit", "CWebKitGTK", "GTKSupport", "WebKitGTKEngine"] + browser),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets
where ["GTKSupport", "WebKitGTKEngine", "webkitbrowser"].contains(target.name) {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
