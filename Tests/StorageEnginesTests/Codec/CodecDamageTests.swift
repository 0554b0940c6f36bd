import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// Bytes that no writer made: reading them throws or gives a value, and never more than that.
struct CodecDamageTests {
    /// A reader of one message, and its writer, as a function over bytes.
    struct Subject: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sample: @Sendable () -> [UInt8]
        var rewrite: @Sendable ([UInt8]) throws -> [UInt8]
    }

    static let tab = TabMetadata(
        id: TabID(high: 1, low: 2), place: .between(nil, and: nil), url: "https://a.example/ü",
        title: "Tür 🚪", faviconURL: "f", createdAt: Timestamp(microseconds: -2),
        lastActiveAt: Timestamp(microseconds: .max), navigationItemCount: -3, isPinned: true,
        group: NodeID(high: 5, low: 6),
        opener: TabOpener(tab: TabID(high: 7, low: 8), navigationIndex: 9),
        properties: ["a": "b", "": "empty"])
    private static let newer = tab.encodedPayload() + WireWriter.newerFields

    static let attributes = SessionAttributes(
        title: "Fenster", activeTab: TabID(high: 1, low: 1),
        createdAt: Timestamp(microseconds: 1), properties: ["frame": "0 0"])

    static let history = NavigationHistory(
        entries: [
            NavigationEntry(
                url: "https://b.example", displayURL: "b", title: "B", referrer: "r",
                referrerPolicy: -1, userAgent: .desktop,
                requestHeaders: [HTTPHeader(name: "A", value: "")], pageState: [0, 255],
                subframes: [NavigationEntry(url: "f", subframes: [NavigationEntry(url: "g")])],
                properties: ["k": "v"])
        ], currentIndex: 0)

    static let subjects = [
        Subject(testDescription: "tab", sample: { newer }) {
            try Payloads.tab($0).encodedPayload()
        },
        Subject(testDescription: "attributes", sample: { attributes.encodedPayload() }) {
            try Payloads.attributes($0).encodedPayload()
        },
        Subject(testDescription: "history", sample: { history.encoded() }) {
            try Payloads.history($0).encoded()
        },
        Subject(
            testDescription: "manifest",
            sample: { Manifest(records: 7, fingerprint: .max).encodedPayload() },
            rewrite: { try Payloads.manifest($0).encodedPayload() }),
        Subject(
            testDescription: "state entry",
            sample: { StateEntry(checksum: .max, length: 7).encodedPayload() },
            rewrite: { try Payloads.stateEntry($0).encodedPayload() }),
        Subject(
            testDescription: "losses",
            sample: {
                Losses(losses: [
                    Loss(.tab, session: SessionID(window: WindowID(high: 1, low: 2)), detail: "d")
                ]).encodedPayload()
            },
            rewrite: { Losses(losses: try Payloads.losses($0)).encodedPayload() }),
    ]

    /// Whatever is read must survive being written and read again.
    func check(_ subject: Subject, _ bytes: [UInt8]) -> Bool {
        guard let once = try? subject.rewrite(bytes) else { return false }
        let twice = try? subject.rewrite(once)
        expect(twice, is: once, "\(bytes)")
        return true
    }

    @Test("Cut anywhere", arguments: subjects)
    func truncation(subject: Subject) {
        let bytes = subject.sample()
        expect(check(subject, bytes))
        expect(check(subject, []))
        let refused = (0..<bytes.count).filter { !check(subject, Array(bytes[..<$0])) }
        expect(!refused.isEmpty)
    }

    @Test("Any bit flipped", arguments: subjects)
    func bitFlips(subject: Subject) {
        let bytes = subject.sample()
        var refused = 0
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            if !check(subject, damaged) { refused += 1 }
        }
        expect(refused > 0)
    }

    @Test("Random bytes", arguments: subjects)
    func noise(subject: Subject) {
        var generator = SeededGenerator(seed: 51)
        for _ in 0..<2000 {
            let count = generator.integer(in: 0...40)
            _ = check(subject, (0..<count).map { _ in UInt8(generator.integer(in: 0...255)) })
        }
    }

    @Test("What both read of damaged bytes, a reader of the schema reads the same")
    func agreement() throws {
        let bytes = Self.newer
        var compared = 0
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            guard let message = try? SchemaMessage("TabMetadata", decoding: damaged),
                let own = try? Payloads.tab(damaged), message["order_key"] != nil
            else { continue }
            // Ours always have an id and an order key.
            if case .messages(let openers)? = message["opener"], openers[0]["tab"] == nil {
                continue
            }
            expect(
                try SchemaMessage("TabMetadata", decoding: own.encodedPayload()) == message,
                "bit \(bit)")
            compared += 1
        }
        expect(compared > bytes.count)
    }

    @Test(
        "Bytes that no writer may make are refused",
        arguments: [
            [0x00],  // field 0
            [0x0B, 0x0C],  // a group, which proto3 does not have
            [0x12, 0x05, 0x61],  // longer than the bytes
            [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],  // length 2^64 - 1
            [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],  // 11 bytes
            [0x42, 0x01, 0x00],  // an identifier of one byte
            [0x0A, 0x01, 0x01],  // an order key that ends with its first digit
            [0x21, 0x00],  // half a number
        ] as [[UInt8]])
    func refused(bytes: [UInt8]) {
        expect(throws: WireError.self) { try Payloads.tab(bytes) }
    }

    @Test("Text that is not UTF-8 is read with replacement characters")
    func invalidText() throws {
        expect(try Payloads.tab([0x12, 0x02, 0x61, 0xFF]).url == "a\u{FFFD}")
    }
}
