import BrowserSessions
import Foundation
import StorageConformance
import TestSupport

/// The suite in processes of the built `storagecheck`: a small program, where the test program
/// would take as long to start as a case to run.
enum BuiltChecker {
    /// The harness of one of its backends.
    static func harness(_ backend: StorageBackend, label: String? = nil) throws -> BackendHarness {
        let storage = ["--storage", "\(backend.name)://\(folder)"]
        return BackendHarness(
            backend, label: label, folder: folder,
            child: ChildCommand(
                executable: try BuiltProgram.named("storagecheck").path,
                arguments: ["child"] + storage,
                repeating: ["run", "--storage", "\(backend.name)://\(folder)/again"]))
    }

    /// The harness of one of the suite's faulty backends.
    static func harness(faulty name: String, label: String? = nil) throws -> BackendHarness {
        guard let backend = FaultyBackend.backend(named: name) else {
            throw HarnessFault("there is no faulty backend '\(name)'")
        }
        return BackendHarness(
            backend, label: label ?? name, folder: folder,
            child: ChildCommand(
                executable: try BuiltProgram.named("storagecheck").path,
                arguments: ["child", "--mutant", name, "--folder", folder]))
    }

    /// In memory, where a sync costs nothing; at night on a disk. What a killed process leaves is the
    /// same on both.
    private static var folder: String {
        if !TestRun.isNightly, let memory = TemporaryFolder.memory { return memory }
        let path = URL(filePath: NSTemporaryDirectory()).path
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

extension SuiteDepth {
    /// As much as this run of the tests is to try.
    static var ofThisRun: SuiteDepth { TestRun.isNightly ? .full : .quick }
}
