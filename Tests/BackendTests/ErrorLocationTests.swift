import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

@Suite("errors name the store")
struct ErrorLocationTests {
    /// A way in which a store cannot be opened.
    enum Trouble: CaseIterable {
        case locked, absent, file, link, foreign, newer, option, value, wrongOption, cancelled
    }

    private func prepare(_ trouble: Trouble, _ subject: Subject, _ path: String) async throws
        -> (StorageConfiguration, (any SessionStorage)?)
    {
        var configuration = StorageConfiguration(location: path)
        switch trouble {
        case .locked: return (configuration, try await subject.backend.open(configuration))
        case .absent: configuration.options["create"] = .bool(false)
        case .file: try FileSystem.overwrite(path, with: [1])
        case .link: try link("/", at: path)
        case .foreign:
            try FileSystem.makeDirectory(path)
            try FileSystem.overwrite(path + "/foreign", with: [1])
        case .newer:
            try await subject.backend.open(configuration).close()
            for name in ["store.json", "store-copy.json"] {
                try FileSystem.overwrite(
                    "\(path)/\(name)", with: stampText(subject.backend.name, 99, 99))
            }
        case .option: configuration.options["colour"] = .text("red")
        case .value: configuration.options["create"] = .integer(1)
        case .wrongOption: configuration.options["durability"] = .text("replicated")
        case .cancelled: break
        }
        return (configuration, nil)
    }

    /// What the calls that concern a location throw.
    private func errors(
        _ backend: StorageBackend, _ configuration: StorageConfiguration, isCancelled: Bool
    ) async -> [StorageError?] {
        let task = Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            var errors = [await error { _ = try await backend.open(configuration) }]
            guard !isCancelled else { return errors }
            errors.append(await error { _ = try backend.openBlocking(configuration) })
            var readOnly = configuration
            readOnly.options["access"] = .text("readOnly")
            errors.append(await error { try await backend.open(readOnly).close() })
            errors.append(await error { _ = try await backend.remove(configuration) })
            return errors
        }
        return await task.value
    }

    @Test("whatever kept a store from being opened", arguments: Subject.all, Trouble.allCases)
    func opening(subject: Subject, trouble: Trouble) async throws {
        let folder = TemporaryFolder()
        let path = folder.file("profile-7")
        let (configuration, holder) = try await prepare(trouble, subject, path)
        let found = await errors(
            subject.backend, configuration, isCancelled: trouble == .cancelled)
        expect(found[0] != nil)
        for error in found.compactMap(\.self) {
            expect(error.location, is: path)
            expect("\(error)".components(separatedBy: path).count >= 2, "\(error)")
        }
        if trouble == .cancelled {
            expect(found.map { $0?.code }, is: [.cancelled])
            expect(try Tree(folder.path).entries.isEmpty)
        }
        try await holder?.close()
    }

    @Test("a call of an open store", arguments: Subject.all)
    func calling(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        try await store.close()
        let error = await error { _ = try await store.sessions() }
        expect(error?.location, is: folder.file("profile"))
    }

    @Test(
        "no password of an address is in it",
        arguments: [
            ("//app:secret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("//app:sec/ret@db:5432/sessions", "//app:•••@db:5432/sessions"),
            ("//app:a@secret@db/sessions", "//app:•••@db/sessions"),
            ("//app:12/secret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("//app:se?c#ret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("//app:\u{301}secret@db/sessions/work", "//app:•••@db/sessions/work"),
            ("app:secret@db/sessions/work", "app:•••@db/sessions/work"),
            ("far://app:secret@db/sessions/work", "far:•••@db/sessions/work"),
            ("//db/sessions?password=secret", "//db/sessions?•••"),
            ("//db:5432/sessions/work@home", "//db:5432/sessions/work@home"),
            ("//app@db1:1,db2:2/sessions/work", "//app@db1:1,db2:2/sessions/work"),
        ])
    func passwords(location: String, shown: String) async throws {
        let backend = StorageBackend(name: "far", summary: "", locationForm: .address) {
            _ throws(StorageError) in
            throw StorageError(.unavailable, "it does not answer", operation: "open")
        }
        let configuration = StorageConfiguration(location: location)
        let error = await error { _ = try await backend.open(configuration) }
        expect(error?.description, is: "open '\(shown)': it does not answer (unavailable)")
        let described = try #require(error)
        expect(!String(reflecting: described).contains("ret@"))
    }
}
