import StorageConformance

/// What is around the sources of the new package.
extension NewPackage {
    private var module: String { names.module }

    private func product(_ name: String) -> String {
        ".product(name: \"\(name)\", package: \"\(dependency.identity)\")"
    }

    var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(names.backend)-backend",
            platforms: [.macOS(.v15), .iOS(.v18)],
            products: [.library(name: "\(module)", targets: ["\(module)"])],
            dependencies: [\(dependency.line)],
            targets: [
                .target(
                    name: "\(module)",
                    dependencies: [\(product("BrowserSessions"))]
                ),
                .testTarget(
                    name: "\(module)Tests",
                    dependencies: [
                        "\(module)",
                        \(product("StorageConformance")),
                    ]
                ),
            ],
            swiftLanguageModes: [.v6]
        )

        """
    }

    var makefile: String {
        """
        # Everything that continuous integration does.

        .PHONY: test

        test:
        \tswift test

        """
    }

    var workflow: String {
        """
        # For GitHub and whatever reads its files. Elsewhere: Swift 6.3 or newer, then `make test`.
        # A path to Browser Sessions in Package.swift must exist there; a URL needs nothing.
        name: conformance
        on: [push, pull_request]
        jobs:
          test:
            runs-on: ubuntu-latest
            container: swift:6.3
            steps:
              - uses: actions/checkout@v4
              - run: swift test

        """
    }

    var readme: String {
        """
        # \(module)

        A storage backend for Browser Sessions: `StorageBackend.\(names.member)`, in configurations
        `\(names.backend)`.

        ```
        make test    # every requirement of the contract, a test case each
        ```

        At first all of it is red, because `\(names.type)Engine.open` throws `.unsupported`. Write, in this
        order, in `Sources/\(module)`:

        1. `\(names.type)Store`: `value`, `scan`, `write`, `sync`, `verify`, `close`;
        2. `\(names.type)Engine.open`, after which most of SAVE, RESTORE, STATE and CLOSE is green;
        3. `\(names.type)Engine.salvage`, for RECOVERY.

        `swift test 2>&1 | grep -F 'SAVE-1 '` shows one requirement alone. All of them:
        `storagecheck --list`, or the page Contract in the documentation of Browser Sessions.

        ## What it can do

        A requirement that needs what this backend does not claim is not applicable, and the test says so.
        Claims are made by the engine, the options and `Tests/\(module)Tests/Harness.swift`; keep this table
        true for your users.

        | ability | here | what it means |
        | --- | --- | --- |
        \(capabilities)

        """
    }

    private var capabilities: String {
        Capability.allCases.map { "| \($0.rawValue) | ? | \($0.explanation) |" }
            .joined(separator: "\n")
    }
}
