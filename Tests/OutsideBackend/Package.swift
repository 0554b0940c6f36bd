// swift-tools-version: 6.3
import PackageDescription

// The package of an author who knows nothing of this repository but its products. Instead of the
// path he would write `url: "https://…/browser-sessions", branch: "main"`.
let package = Package(
    name: "outside-backend",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "MemoryBackend", targets: ["MemoryBackend"])],
    // The name makes it independent of what the folder of the clone is called.
    dependencies: [.package(name: "browser-sessions", path: "../..")],
    targets: [
        .target(
            name: "MemoryBackend",
            dependencies: [
                .product(name: "BrowserSessions", package: "browser-sessions"),
                .product(name: "StorageEngines", package: "browser-sessions"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "memory-check",
            dependencies: [
                "MemoryBackend",
                .product(name: "BackendSelection", package: "browser-sessions"),
                .product(name: "BrowserSessions", package: "browser-sessions"),
                .product(name: "StorageCheck", package: "browser-sessions"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "MemoryBackendTests",
            dependencies: [
                "MemoryBackend",
                .product(name: "StorageConformance", package: "browser-sessions"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
