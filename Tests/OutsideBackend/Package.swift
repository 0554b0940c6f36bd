// swift-tools-version: 6.2
import PackageDescription

// The package of an author who knows nothing of this repository but its products.
let package = Package(
    name: "outside-backend",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "MemoryBackend", targets: ["MemoryBackend"])],
    dependencies: [.package(name: "browser-sessions", path: "../..")],
    targets: [
        .target(
            name: "MemoryBackend",
            dependencies: [.product(name: "BrowserSessions", package: "browser-sessions")]
        ),
        .testTarget(
            name: "MemoryBackendTests",
            dependencies: [
                "MemoryBackend",
                .product(name: "BrowserSessions", package: "browser-sessions"),
                .product(name: "StorageConformance", package: "browser-sessions"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
