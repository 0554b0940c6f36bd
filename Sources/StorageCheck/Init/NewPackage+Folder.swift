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
        # `make check` is what continuous integration does.

        .PHONY: check test

        # Each case in a process of its own; other options: make check CHECK="--group SAVE"
        check:
        \tswift run \(names.program) $(CHECK)

        # The same cases as tests, for an editor that runs them one by one.
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
        swift run \(names.program)                         # every requirement of the contract
        swift run \(names.program) --requirement SAVE-1    # one of them; also --group SAVE, --case ID
        swift run \(names.program) list                    # what they say
        swift run \(names.program) --output report.xml     # for people and for machines; also .md, .json
        ```

        At first all of it is red, because `\(names.type)Engine.open` throws `.unsupported`. Write, in this
        order, in `Sources/\(module)`:

        1. `\(names.type)Store`: `value`, `scan`, `write`, `sync`, `verify`, `close`;
        2. `\(names.type)Engine.open`, after which most of SAVE, RESTORE, STATE and CLOSE is green;
        3. `\(names.type)Engine.salvage`, for RECOVERY.

        Each case has a process of its own: one in which the engine traps, hangs or exits fails alone.

        ## What it can do

        A requirement that needs what this backend does not claim is not applicable, and the report says so.
        Claims are made by the engine, by the options, and, where stores are no files, by the harness in
        `Sources/\(names.program)` and in `Tests`; keep this table true for your users.

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

        /// Stores that are no files need another harness; `run` takes one.
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
