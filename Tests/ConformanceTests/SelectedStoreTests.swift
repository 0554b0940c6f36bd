import BackendSelection
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import LevelDBBackend
import SQLiteBackend
import StorageEngines
import TestSupport

@testable import StorageConformance

/// What holds of a backend that a program names in its code must hold where people name it.
@Suite("Stores that the selector opens conform", .serialized)
struct SelectedStoreTests {
    private static func cases(of groups: RequirementGroup...) -> [ConformanceCase] {
        ConformanceSuite.cases.filter { groups.contains($0.requirement.group) }
    }

    /// The way to a store is the same for all backends.
    private static let backends =
        TestRun.isNightly ? [StorageBackend.directory, .sqlite, .leveldb] : [.sqlite]

    @Test(arguments: backends.map(\.name))
    func byURL(backend: String) async throws {
        for testCase in Self.cases(of: .configuration, .close, .save) {
            try await testCase.check(any: SelectionHarness(backend))
        }
    }
}

/// Opens every store as a program does that was given a URL.
private struct SelectionHarness: StorageHarness {
    let base: BackendHarness
    /// They hold the keys that live in memory, so there is one of each.
    private let backends: [StorageBackend] = [.directory, .sqlite, .leveldb]

    init(_ backend: String) throws {
        let backend = try require(backends.first { $0.name == backend })
        base = BackendHarness(backend, label: "\(backend.name) by url")
    }

    var name: String { base.name }
    var label: String { base.label }
    var persistence: HarnessPersistence { base.persistence }
    var options: [StorageOption] { base.options }
    var child: ChildCommand? { base.child }

    func makeLocation() async throws -> String { try await base.makeLocation() }
    func removeLocation(_ location: String) async throws {
        try await base.removeLocation(location)
    }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await select(configuration).open()
    }

    func openReader(_ configuration: StorageConfiguration) async throws(StorageError)
        -> StoreReader
    {
        let selection = try select(configuration)
        return try await selection.backend.openReader(selection.configuration)
    }

    private func select(_ configuration: StorageConfiguration) throws(StorageError)
        -> ResolvedSelection
    {
        let request = SelectionRequest(
            storage: url(configuration), environment: [:],
            workingDirectory: FileManager.default.currentDirectoryPath)
        return try request.resolve(registry: BackendRegistry(backends))
    }

    private func url(_ configuration: StorageConfiguration) -> String {
        let items = configuration.options.map { "\(escaped($0.key))=\(escaped(text($0.value)))" }
        let slashes = configuration.location.hasPrefix("/") ? "//" : ""
        return "\(name):\(slashes)\(escaped(configuration.location))"
            + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    private func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "/.-_").union(.alphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }

    private func text(_ value: OptionValue) -> String {
        switch value {
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .text(let text): text
        }
    }
}
