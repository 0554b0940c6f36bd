import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

@testable import SessionInterop

/// What a source brought stays as it is when parts of the source are missing later.
@Suite("Sources with losses")
struct DamagedSourceTests {
    enum Source: CaseIterable {
        case firefox, firefoxText, chromium, chromeIOS, firefoxIOS, bookmarks, html, canonical

        func files() throws -> [ExportedFile] {
            if self == .canonical {
                return [ExportedFile(path: "s.json", bytes: try canonicalJSON(sessions))]
            }
            let formats: [Source: ExportFormat] = [
                .chromium: .chromium, .chromeIOS: .chromeIOS, .firefoxIOS: .firefoxIOS,
                .bookmarks: .bookmarks, .html: .html,
            ]
            let format = formats[self] ?? .firefox
            var files = try SessionExporter(format).export(sessions).files
            if let name = format.fileName { files[0].path = name }
            if self == .firefoxText {
                files[0].bytes = try MozLZ4.unfold(files[0].bytes, limits: ImportLimits()).bytes
            }
            return files
        }
    }

    /// Sessions of every role, with histories of three entries.
    private static let sessions = WayBackTests.sessions.map { session in
        var session = session
        for index in session.tabs.indices {
            let url = session.tabs[index].metadata.url
            var history = NavigationHistory(
                entries: ["&before", "", "&after"].map {
                    NavigationEntry(url: url + $0, title: "Title", time: .init(microseconds: 1))
                })
            history.currentIndex = 1
            session.tabs[index].states[.navigation] = history.encoded()
            session.tabs[index].metadata.navigationItemCount = 3
        }
        return session
    }

    /// Whether a list of Chrome for iOS ends after its last tab and between two fields. It has no end of its own:
    /// once its groups are cut off, it is as valid as a list that never had any.
    private static func isWholeList(_ bytes: [UInt8], of file: ExportedFile) -> Bool {
        guard file.path.hasSuffix(ChromeIOSList.fileName) else { return false }
        var log = ProblemLog(maximum: 0)
        let (cut, whole) = (
            ChromeIOSList(bytes, ImportLimits(), &log),
            ChromeIOSList(file.bytes, ImportLimits(), &log)
        )
        return !cut.isSuspicious && cut.items == whole.items
    }

    @Test(
        "No cut of any file changes or removes what the whole file brought",
        arguments: Source.allCases)
    func cut(_ source: Source) async throws {
        let (folder, store) = (TemporaryFolder(), MemoryStorage())
        let files = try source.files()
        for file in files { try folder.write(file.bytes, to: "s/" + file.path) }
        let path = folder.file(files.count == 1 ? "s/" + files[0].path : "s")
        func read() throws -> SessionImport { try SessionImporter().read(path: path) }
        try await ImportMerge(read()).plan(for: store).apply(to: store)
        var (merging, replacing, cuts): ([String], [String], Int) = ([], [], 0)
        for file in files {
            let step = max(TestRun.amount(17, nightly: 1), file.bytes.count / 100)
            for count in stride(from: 0, to: file.bytes.count, by: step) {
                let bytes = Array(file.bytes.prefix(count))
                guard !Self.isWholeList(bytes, of: file) else { continue }
                try folder.write(bytes, to: "s/" + file.path)
                // What gives nothing is refused as a whole.
                guard let result = try? read(),
                    let merge = try? await ImportMerge(result).plan(for: store)
                else { continue }
                cuts += 1
                let cut = "\(file.path) at \(count) of \(file.bytes.count)"
                if !merge.changedSessions.isEmpty {
                    merging.append("\(cut): \(merge.report.totals)")
                }
                let other = try? await ImportMerge(result, mode: .replacement).plan(for: store)
                guard let replaced = other?.report.totals else { continue }
                if replaced.tabsAdded + replaced.tabsUpdated + replaced.tabsRemoved > 0 {
                    replacing.append("\(cut): \(replaced)")
                }
            }
            try folder.write(file.bytes, to: "s/" + file.path)
        }
        expect(merging.isEmpty, "\(merging.count) of \(cuts): \(merging.prefix(3))")
        expect(replacing.isEmpty, "\(replacing.count) of \(cuts): \(replacing.prefix(3))")
        expect(try await ImportMerge(read()).plan(for: store).changedSessions, is: [])
    }
}
