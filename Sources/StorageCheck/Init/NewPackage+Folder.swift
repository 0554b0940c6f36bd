import StorageConformance

/// The files around the sources of the new package.
extension NewPackage {
    private var module: String { names.module }

    private func product(_ name: String) -> String {
        ".product(name: \"\(name)\", package: \"\(dependency.identity)\")"
    }

    var manifest: String {
        """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "\(names.backend)-backend",
            platforms: [.macOS(.v15), .iOS(.v18)],
            products: [.library(name: "\(module)", targets: ["\(module)"])],
            dependencies: [\(dependency.line)],
            targets: [
                .target(
                    name: "\(module)",
                    dependencies: [
                        \(product("BrowserSessions")),
                        \(product("StorageEngines")),
                    ]
                ),
                .executableTarget(
                    name: "\(names.program)",
                    dependencies: [
                        "\(module)",
                        \(product("BackendSelection")),
                        \(product("BrowserSessions")),
                        \(product("StorageCheck")),
                    ]
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
        # Continuous integration runs `make check`.

        .PHONY: check test

        # Runs each case in a separate process. To pass options: make check CHECK="--group SAVE"
        check:
        \tswift run \(names.program) $(CHECK)

        # Runs the same cases as tests, for editors that run single tests.
        test:
        \tswift test

        """
    }

    var readme: String {
        """
        # \(module)

        A storage backend for Browser Sessions: `StorageBackend.\(names.member)`, in configurations
        `\(names.backend)`.

        ```
        swift run \(names.program)                         # checks every requirement of the contract
        swift run \(names.program) --requirement SAVE-1    # checks one; also --group SAVE, --case ID
        swift run \(names.program) list                    # lists the requirements
        swift run \(names.program) --output report.xml     # writes a report; also .md, .json
        ```

        At first, every requirement fails, because `\(names.type)Engine.open` throws `.unsupported`. In
        `Sources/\(module)`, implement in this order:

        1. `\(names.type)Store`: `value`, `scan`, `write`, `sync`, `verify`, `close`;
        2. `\(names.type)Engine.open`, after which most of SAVE, RESTORE, STATE and CLOSE passes;
        3. `\(names.type)Engine.salvage`, for RECOVERY.

        Each case runs in a separate process: if the engine traps, hangs or exits, only this case fails.

        ## Abilities

        A requirement does not apply if it needs an ability that this backend does not claim. The report says
        so. The engine and the options claim abilities. If stores are not files, so does the harness in
        `Sources/\(names.program)` and in `Tests`. Keep this table correct for your users.

        | ability | here | what it means |
        | --- | --- | --- |
        \(capabilities)

        """
    }

    /// Checks the backend as `storagecheck` checks those of Browser Sessions.
    var program: String {
        """
        import BackendSelection
        import BrowserSessions
        import \(module)
        import StorageCheck

        /// Checks the backend. If its stores are not files, pass another harness to `run`.
        @main
        struct Check {
            static func main() async throws {
                await StorageCheckMain.run(registry: try BackendRegistry([.\(names.member)]))
            }
        }

        """
    }

    private var capabilities: String {
        Capability.allCases.map { "| \($0.rawValue) | ? | \($0.explanation) |" }
            .joined(separator: "\n")
    }
}
