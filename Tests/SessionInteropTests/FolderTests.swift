import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// Folders of anything: what is in them is looked at, counted, and left as it is.
@Suite("Folders")
struct FolderTests {
    let folder = TemporaryFolder()

    private func read(_ name: String = "", limits: ImportLimits = ImportLimits()) throws
        -> SessionImport
    {
        try SessionImporter(limits: limits).read(path: folder.file(name))
    }

    @Test("Files that are no session files are one count, however many they are")
    func many() throws {
        let kinds: [(String, [UInt8])] = [
            ("a.png", [0x89, 0x50, 0x4E, 0x47]), ("b.json", Array(#"{"name":"b"}"#.utf8)),
            ("c.txt", Array("Dear all,\nhttps://example.org/ is a link.\n".utf8)), ("d", []),
            ("e.js", Array("(function () { return {\"tabs\": 1} })".utf8)),
            ("f.plist", PropertyListWriter.bytes(of: .text("no archive"))),
        ]
        let count = TestRun.amount(2_000, nightly: 100_000)
        for index in 0..<count {
            let (name, bytes) = kinds[index % kinds.count]
            try folder.write(bytes, to: "\(index % 7)/\(index)-\(name)")
        }
        try folder.write(SNSSSample.session(), to: "3/a log")
        let report = try read().report
        expect(report.otherFiles, is: count)
        expect(report.sources.map { lastComponent($0.path) }, is: ["a log"])
        expect(report.notes.isEmpty && report.untaken.isEmpty && !report.isDamaged)
    }

    @Test("Not more files are looked at than the limit says")
    func limits() throws {
        for index in 0..<40 { try folder.write([1], to: "\(index)") }
        try folder.write(SNSSSample.session(), to: "00")
        var limits = ImportLimits.with(\.maximumFiles, 10)
        let report = try read(limits: limits).report
        expect(report.otherFiles == 9 && report.sources.count == 1)
        expect(report.notes, is: ["no more than 10 files and folders were looked at"])
        limits.maximumSources = 0
        let none = try refusal { try read(limits: limits) }
        expect(none.code == .tooLarge && none.message.contains("over the limit of 0: 1"))
        let files = try refusal { try read(limits: .with(\.maximumFiles, 0)) }
        expect(files.code, is: .tooLarge)
        expect(files.message.contains("no more than 0 files and folders were looked at"))
        try folder.write(SNSSSample.session(), to: "a/b/c/log")
        try folder.remove("00")
        let depth = try refusal { try read(limits: .with(\.maximumFolderDepth, 2)) }
        expect(depth.code, is: .tooLarge)
        expect(depth.message.contains("too deep to be searched: 1"))
    }

    @Test("Names that Swift takes for one text are names of two things")
    func equalNames() throws {
        // A file and a folder, and two files.
        try folder.write(SNSSSample.session(), to: "caf\u{E9}")
        try folder.write(SNSSSample.session(), to: "cafe\u{301}/log")
        for name in ["\u{E9}", "e\u{301}"] {
            try folder.write(SNSSSample.session(), to: "inner/\(name)")
        }
        let paths = try read().report.sources.map { Array($0.path.utf8) }
        expect(Set(paths).count, is: 4, "\(paths.count)")
    }

    @Test("Hidden folders are not searched, which is reported")
    func hidden() throws {
        try folder.write(SNSSSample.session(), to: ".a/log")
        try folder.write([1], to: ".b")
        let error = try refusal { try read() }
        expect(error.code, is: .incompatibleFormat)
        expect(error.message.hasSuffix("; passed over: hidden folders: 1"))
        try folder.write(SNSSSample.session(), to: "inner/log")
        try folder.write(SNSSSample.session(), to: "inner/.c/log")
        expect(try read().report.notes == ["passed over: hidden folders: 2"])
    }

    @Test("What is passed over is one note of each kind, however much it is")
    func notes() throws {
        for index in 0..<5 { try folder.write(SNSSSample.session(), to: "\(index)/log") }
        for index in 0..<3 {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("link-\(index)"), withDestinationPath: "0")
            try folder.write(SNSSSample.session(), to: "z/y/x/w/v/\(index)/log")
        }
        // A name of one byte that is no UTF-8.
        expect(mkdir(folder.file("z").utf8CString.dropLast() + [47, -1, 0], 0o755), is: 0)
        let report = try read(limits: .with(\.maximumSources, 2)).report
        expect(report.sources.count, is: 2)
        expect(
            report.notes,
            is: [
                "passed over: symbolic links, which are not followed: 3",
                "passed over: names that are not UTF-8: 1",
                "passed over: folders that are too deep to be searched: 3",
                "passed over: files with sessions over the limit of 2: 3",
            ])
    }

    @Test("A text is a list of links if most of its lines are links")
    func texts() throws {
        let lists = [
            "https://example.org/\n",
            "Title\thttps://example.org/\n# comment\nother\thttps://a.org/",
            "https://example.org/1\nhttps://example.org/2\nsee also\n",
        ]
        let others = [
            "mailto:a@example.org\nDear A,\nthis is a letter.\n", "a\tb\thttps://example.org/\n",
            "note: https://example.org/\n", "# https://example.org/\n",
        ]
        for (index, text) in (lists + others).enumerated() {
            let path = try folder.write(Array(text.utf8), to: "\(index).txt")
            let isList = index < lists.count
            expect(try SessionFormat.detect(path: path) == (isList ? .links : nil), "\(text)")
        }
        expect(try read().report.sources.count == lists.count)
    }

    @Test("Names with line feeds and other control characters are read, and shown in one line")
    func names() throws {
        let name = "a\nb\u{1B}[2J/recovery.js"
        try folder.write(FirefoxDesktopSample.text(tabs: 2), to: name)
        let report = try read().report
        expect(report.sources.map(\.path), is: [folder.file("") + name])
        expect(report.totals.tabs, is: 2)
        let error = try refusal { try read("no\nsuch") }
        expect(error.code, is: .notFound)
        expect(error.message, is: "there is nothing at \(folder.file("no"))\\u{A}such")
    }

    @Test("Nothing is written: a folder without write permission gives the same")
    func untouched() throws {
        try folder.write(FirefoxDesktopSample.text(tabs: 2), to: "p/sessionstore.js")
        try folder.write(mozLZ4(FirefoxDesktopSample.text(tabs: 3)), to: "p/recovery.jsonlz4")
        try folder.write(SNSSSample.session(), to: "p/Sessions/Session_1")
        try Golden.write(to: folder, "p/SessionStorage/scene")
        let before = try read("p")
        func state() throws -> [String] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.file("p"))
                .sorted()
            return try paths.map { path in
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder.file("p/" + path))
                return "\(path) \(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? 0)"
            }
        }
        let files = try state()
        let folders = ["p", "p/Sessions", "p/SessionStorage", "p/SessionStorage/scene"]
        for name in folders { chmod(folder.file(name), 0o555) }
        defer { for name in folders { chmod(folder.file(name), 0o755) } }
        let after = try read("p")
        expect(after.sessions == before.sessions && after.report == before.report)
        expect(try state() == files)
    }

    @Test(
        "What may not be read is named, and is an error if it is all there is",
        .enabled(if: geteuid() != 0, "an administrator may read every file"))
    func permission() throws {
        try folder.write(FirefoxDesktopSample.text(tabs: 2), to: "theirs/sessionstore.js")
        chmod(folder.file("theirs"), 0)
        defer { chmod(folder.file("theirs"), 0o755) }
        for name in ["theirs", ""] {
            let error = try refusal { try read(name) }
            expect(error.code, is: .permissionDenied)
            expect(error.message, is: "\(folder.file("theirs")) may not be read")
        }
        try folder.write(FirefoxDesktopSample.text(tabs: 3), to: "mine/sessionstore.js")
        let report = try read().report
        expect(report.totals.tabs == 3 && report.isDamaged)
        expect(report.untaken.map(\.path), is: [folder.file("theirs")])
        expect(report.untaken.map(\.reason), is: [.unreadable])
    }

    @Test("A loop of links is an error that names it")
    func loop() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("loop"), withDestinationPath: "loop")
        let error = try refusal { try read("loop") }
        expect(error.code == .failed && error.message.contains(folder.file("loop")))
    }
}
