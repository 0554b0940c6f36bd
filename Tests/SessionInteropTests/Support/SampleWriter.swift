import Foundation
import TestSupport

/// Writes the files in `Fixtures/Sample`: one small session of each format, always the same bytes.
struct SampleWriter {
    let folder: TemporaryFolder

    static let scene = "3F9D5A1C-7B42-4E08-9C61-2D8E0B7A4F15"
    static let secondScene = "B06E27D4-18CF-4A93-8E5D-C4710F92A36B"
    /// 2024-05-14 09:30:00 UTC, in microseconds since 1601.
    static let time: Int64 = 13_360_152_600_000_000

    func write() throws {
        try writeChromeIOS()
        try writeChromeIOSArchive()
        try writeFirefoxIOS()
        try writeFirefoxDesktop()
        try writeChromium()
        try writeLinks()
    }

    /// Bytes that stand for the state of an engine.
    static func native(_ seed: UInt64, count: Int) -> [UInt8] {
        var generator = Seeded(state: seed)
        return Array("bplist00".utf8)
            + (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

// MARK: - Chrome for iOS

extension SampleWriter {
    private func writeChromeIOS() throws {
        let root = "chrome-ios/SessionStorage/"
        try firstWindow.write(to: folder, root + Self.scene)
        try secondWindow.write(to: folder, root + Self.secondScene)
        try inactive.write(to: folder, root + Self.scene + "-Inactive")
        try incognito.write(to: folder, "chrome-ios/OTR/SessionStorage/" + Self.scene)
    }

    private var firstWindow: ChromeIOSWriter {
        var window = ChromeIOSWriter()
        window.time = Self.time
        window.tabs = [
            .init(
                id: 700_101, title: "Inbox (3) – Mail", urls: ["https://mail.example.org/inbox"],
                native: Self.native(1, count: 900)),
            .init(
                id: 700_102, title: "تقويم الأسبوع",
                urls: ["https://calendar.example.org/week?l=ar"]),
            .init(
                id: 700_103, title: "Sourdough for beginners 🍞",
                urls: [
                    "https://search.example.org/?q=sourdough", "https://bread.example.org/",
                    "https://bread.example.org/sourdough#starter",
                ],
                native: Self.native(2, count: 2_000)),
            .init(
                id: 700_104, title: "Rye and spelt", urls: ["https://bread.example.org/rye"],
                opener: (2, 2)),
            .init(
                id: 700_105, title: "מזג האוויר בחיפה",
                urls: ["https://weather.example.org/", "https://weather.example.org/haifa"],
                current: 1),
            .init(
                id: 700_106, title: "Opened from the first tab",
                urls: ["https://mail.example.org/message/17"], opener: (0, 0)),
        ]
        window.active = 2
        window.pinned = 2
        window.groups = [
            .init(start: 2, count: 2, title: "Baking 🥖", color: 8, id: (0x5EED, 0xB4E4D))
        ]
        return window
    }

    private var secondWindow: ChromeIOSWriter {
        var window = ChromeIOSWriter()
        window.time = Self.time + 3_600_000_000
        window.tabs = [
            .init(id: 700_201, title: "Trains to Lyon", urls: ["https://rail.example.org/lyon"]),
            .init(
                id: 700_202, title: "Musée des Confluences — horaires",
                urls: ["https://museum.example.org/", "https://museum.example.org/horaires"],
                opener: (0, 0), native: Self.native(3, count: 400)),
            .init(id: 700_203, title: "地図", urls: ["https://maps.example.org/@45.73,4.81,15z"]),
        ]
        window.active = 1
        window.groups = [
            .init(
                start: 0, count: 3, title: "Voyage", color: 1, isCollapsed: true, id: (0x70, 0x1E))
        ]
        return window
    }

    private var inactive: ChromeIOSWriter {
        var window = ChromeIOSWriter()
        window.time = Self.time - 40 * 86_400_000_000
        window.tabs = (1...3).map {
            .init(
                id: 700_300 + $0, title: "Read later \($0)",
                urls: ["https://news.example.org/2024/\($0)/an-article"])
        }
        return window
    }

    private var incognito: ChromeIOSWriter {
        var window = ChromeIOSWriter()
        window.time = Self.time
        window.tabs = [
            .init(id: 700_401, title: "Gift ideas 🎁", urls: ["https://shop.example.org/gifts"]),
            .init(
                id: 700_402, title: "Wooden train", urls: ["https://shop.example.org/gifts/train"],
                opener: (0, 0)),
        ]
        window.active = 1
        return window
    }
}
