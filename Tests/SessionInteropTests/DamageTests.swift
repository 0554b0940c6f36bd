import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import SessionInterop

/// Cuts and changed bits of a small file of each format: nothing crashes, and where the sound file
/// gave tabs, a damaged one never gives a clean report without tabs.
///
/// The nightly run tries every cut and every bit, a push one of eleven, or of five: all bits
/// of a byte get their turn.
@Suite("Damage")
struct DamageTests {
    let folder = TemporaryFolder(inMemory: true)

    static func variants(of bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        let step = TestRun.amount(11, nightly: 1)
        return stride(from: 0, to: bytes.count, by: step)
            .map { ("cut at \($0)", Array(bytes.prefix($0))) }
            + stride(from: 0, to: bytes.count * 8, by: step)
            .map { ("bit \($0)", flipping($0, of: bytes)) }
    }

    @Test("A damaged list of Chrome for iOS loses no tab, since each has its directory")
    func chromeList() throws {
        try Golden.write(to: folder)
        let importer = SessionImporter()
        var silent = 0
        for variant in Self.variants(of: Golden.metadata) {
            try folder.write(variant.bytes, to: "scene/session_metadata.pb")
            let result = try importer.read(path: folder.file("scene"))
            let tabs = result.sessions.flatMap(\.tabs)
            expect(tabs.count >= 3, "\(variant.name)")
            expect(Set(tabs.map(\.metadata.id)).count, is: tabs.count, "\(variant.name)")
            if result.report.sources.allSatisfy({ $0.problems.isEmpty }) { silent += 1 }
        }
        // A changed letter, time or colour is as valid as the right one: there is no checksum.
        expect(silent > 0)
    }

    @Test("A damaged data.pb costs history, never the tab")
    func chromeData() throws {
        try Golden.write(to: folder)
        let importer = SessionImporter()
        for variant in Self.variants(of: Golden.data) {
            try folder.write(variant.bytes, to: "scene/000003e9/data.pb")
            let result = try importer.read(path: folder.file("scene"))
            let tab = try require(result.sessions.first?.tabs.first, "\(variant.name)")
            expect(result.sessions.first?.tabs.count, is: 3, "\(variant.name)")
            expect(tab.metadata.url, is: "https://a.example/", "\(variant.name)")
            if tab.states[.navigation] == nil {
                expect(result.report.isDamaged, "\(variant.name)")
            }
        }
    }

    /// A small sound file.
    enum Sample: CaseIterable {
        case firefoxIOS, compressed, session, tabs

        var file: (name: String, sound: [UInt8]) {
            switch self {
            case .firefoxIOS:
                ("window-data/window-" + FirefoxIOSSample.window, FirefoxIOSSample.file(tabs: 3))
            case .compressed:
                ("sessionstore.jsonlz4", mozLZ4(FirefoxDesktopSample.text(tabs: 3)))
            case .session: ("Session_1", SNSSSample.session())
            case .tabs: ("Tabs_1", SNSSSample.tabs())
            }
        }
    }

    @Test("A damaged file is never clean and empty", arguments: Sample.allCases)
    func file(_ sample: Sample) throws {
        let (name, sound) = sample.file
        for variant in Self.variants(of: sound) {
            let path = try folder.write(variant.bytes, to: name)
            let format: SessionFormat? = sample == .firefoxIOS ? .firefoxIOS : nil
            guard let result = try? SessionImporter().read(path: path, as: format) else {
                expect(sample != .firefoxIOS, "\(variant.name)")
                continue
            }
            // A log cut right after its header is a valid empty one, and browsers write such.
            let isLog = sample == .session || sample == .tabs
            guard !isLog || variant.bytes.count > 8 else { continue }
            let problems = result.report.sources.flatMap(\.problems)
            let isReported = isLog ? !problems.isEmpty : result.report.isDamaged
            let hasTabs = result.sessions.contains { !$0.tabs.isEmpty }
            expect(hasTabs || isReported, "\(variant.name)")
            guard variant.name.hasPrefix("cut") else { continue }
            expect(sample != .firefoxIOS || result.report.isDamaged, "\(variant.name)")
        }
    }

    @Test("A cut Firefox session keeps the complete tabs before the cut")
    func firefoxCut() throws {
        let text = FirefoxDesktopSample.text(tabs: 5)
        var best = 0
        for count in stride(from: 0, to: text.count - 1, by: TestRun.amount(5, nightly: 1)) {
            guard
                let reading = try? FirefoxFormat.read(
                    Array(text.prefix(count)), name: "", limits: ImportLimits())
            else { continue }
            let tabs = reading.drafts.reduce(0) { $0 + $1.tabs.count }
            expect(reading.log.hasLoss, "cut at \(count)")
            expect(tabs >= best, "cut at \(count)")
            best = max(best, tabs)
        }
        expect(best, is: 5)
    }

    @Test("Random bytes are refused or reported by every reader")
    func noise() throws {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<TestRun.amount(50, nightly: 300) {
            let bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let limits = ImportLimits()
            try folder.write(bytes, to: "scene/session_metadata.pb")
            _ = try? SessionImporter().read(path: folder.file("scene"))
            for head in ["", "SNSS\u{3}\0\0\0", "mozLz40\0\u{40}\0\0\0", "{\"windows\":["] {
                let file = Array(head.utf8) + bytes
                _ = try? ChromiumFormat.read(
                    file, name: "Session_\(round)", limits: limits)
                _ = try? ChromiumFormat.read(
                    file, name: "Tabs_\(round)", limits: limits)
                _ = try? FirefoxFormat.read(file, name: "", limits: limits)
            }
        }
    }
}
