import Expectations
import Foundation
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// Our codec against a program that knows the published schema alone, and against protoc.
struct CodecInteropTests {
    /// Values as browsers have them, values from the edges, and one with nothing set.
    static let tabs: [TabMetadata] = {
        var (sampler, extremes) = (SessionSampler(seed: 11), Extremes(seed: 12))
        let real = sampler.window(tabs: 400).tabs.map(\.metadata)
        let blank = TabMetadata(id: TabID(high: 1, low: 2), place: .between(nil, and: nil))
        return real + (0..<200).map { _ in extremes.tab() } + [blank]
    }()

    /// - Parameter text: what `protoc --encode=browsersessions.v1.NAME records.proto | base64` of version 3.21.12
    ///   prints for the text in the comment.
    private func check(_ bytes: [UInt8], _ text: String) {
        expect(Data(bytes).base64EncodedString(), is: text.replacing("\n", with: ""))
    }

    @Test("Our tabs, attributes and histories have the bytes of protoc")
    func protocTabs() {
        var tab = CodecDamageTests.tab
        (tab.name, tab.container, tab.weight, tab.edge.rawValue) = (
            "m", NodeID(high: 0, low: 12), 13, 1
        )
        (tab.isHidden, tab.pinnedPage) = (true, PinnedPage(url: "u", title: "p", faviconURL: "q"))
        // order_key: "\200\200\200\200\200\200" url: "https://a.example/ü" title: "Tür 🚪" favicon_url: "f"
        // created_at: -2 last_active_at: 9223372036854775807 navigation_item_count: -3 zone: 1
        // parent: "\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\6" opener { tab: "\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\10" navigation_index: 9 }
        // properties { key: "" value: "empty" } properties { key: "a" value: "b" }
        // edge: 1 name: "m" container: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\14" weight: 13 is_hidden: true
        // pinned_page { url: "u" title: "p" favicon_url: "q" }
        check(
            tab.encodedPayload(),
            """
            CgaAgICAgIASFGh0dHBzOi8vYS5leGFtcGxlL8O8GglUw7xyIPCfmqoh/v////////8p/////////38w/f//////
            ////ATgBQhAAAAAAAAAABQAAAAAAAAAGShQKEAAAAAAAAAAHAAAAAAAAAAgQCVIBZloJCgASBWVtcHR5WgYKAWES
            AWJgAWoBbXIQAAAAAAAAAAAAAAAAAAAADHgNiAEBkgEJCgF1EgFwGgFx
            """)
        // title: "Fenster" active_tab: "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1" created_at: 1
        // properties { key: "frame" value: "0 0" }
        check(
            CodecDamageTests.attributes.encodedPayload(),
            "CgdGZW5zdGVyEhAAAAAAAAAAAQAAAAAAAAABGQEAAAAAAAAAKgwKBWZyYW1lEgMwIDA=")
        // entries {
        //   url: "https://b.example" display_url: "b" title: "B" referrer: "r" referrer_policy: -1
        //   user_agent: 3 request_headers { name: "A" } page_state: "\0\377"
        //   subframes { url: "f" subframes { url: "g" } } properties { key: "k" value: "v" }
        // }
        // current_index_plus_one: 1
        check(
            CodecDamageTests.history.encoded(),
            """
            CkQKEWh0dHBzOi8vYi5leGFtcGxlEgFiGgFCKgFyMP///////////wE4A0IDCgFBSgIA/1IICgFmUgMKAWdaBgoB
            axIBdhAB
            """)
    }

    @Test("Our nodes, with the places that they had, have the bytes of protoc")
    func protocNodes() {
        func id<Item>(_ number: UInt64) -> Identifier<Item> { Identifier(high: 0, low: number) }
        var place = FormerPlace()
        (place.session, place.parent, place.previous, place.batch) = ("s", id(1), id(2), id(3))
        (place.index, place.time.microseconds, place.reason, place.place) = (4, 5, "user", .middle)
        (place.edge.rawValue, place.zone.rawValue, place.weight) = (1, 2, 6)
        var node = StructureNode(id: .zero, .split, place: .middle, name: "n")
        (node.parent, node.container, node.link, node.active) = (id(7), id(8), id(9), id(10))
        (node.edge.rawValue, node.zone.rawValue, node.axis.rawValue, node.weight) = (1, 1, 1, 11)
        (node.colorText, node.icon, node.style, node.properties) = ("c", "i", "t", ["k": "v"])
        (node.color.rawValue, node.isCollapsed, node.closedFrom) = (1, true, place)
        // order_key: "\200\200\200\200\200\200" kind: "split" parent: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\7" edge: 1 zone: 1 weight: 11 name: "n" color: 1
        // color_text: "c" icon: "i" is_collapsed: true container: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\10" axis: 1
        // link: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\11" active: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\12" properties { key: "k" value: "v" } style: "t"
        // closed_from {
        //   session: "s" parent: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1" edge: 1 previous: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2" index_plus_one: 5 time: 5 reason: "user"
        //   batch: "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3" order_key: "\200\200\200\200\200\200" zone: 2 weight: 6
        // }
        check(
            node.encodedPayload(),
            """
            CgaAgICAgIASBXNwbGl0GhAAAAAAAAAAAAAAAAAAAAAHIAEoATALOgFuQAFKAWNSAWlYAWoQAAAAAAAAAAAAAAAA
            AAAACHABehAAAAAAAAAAAAAAAAAAAAAJggEQAAAAAAAAAAAAAAAAAAAACooBWAoBcxIQAAAAAAAAAAAAAAAAAAAA
            ARgBIhAAAAAAAAAAAAAAAAAAAAACKAUxBQAAAAAAAAA6BHVzZXJCEAAAAAAAAAAAAAAAAAAAAANKBoCAgICAgFAC
            WAaSAQYKAWsSAXaaAQF0
            """)
    }

    @Test("A tab has the bytes of the schema's message, and comes back from them")
    func tabs() throws {
        for tab in Self.tabs {
            let own = tab.encodedPayload()
            var back = try Payloads.tab(sameBytes(own, as: tab), id: tab.id)
            back.place = tab.place
            expect(back, is: tab)
            expect(back.encodedPayload(), is: own)
        }
    }

    /// Returns the bytes of a record as a program by the schema writes it, which are ours.
    private func sameBytes(_ own: [UInt8], as record: some FieldRecord) -> [UInt8] {
        expect(SchemaMessage(record).bytes, is: own)
        return own
    }

    @Test("A node has the bytes of the schema's message, and comes back from them")
    func nodes() throws {
        var extremes = Extremes(seed: 13)
        for value in (0..<200).map({ _ in extremes.node() }) + [.blank] {
            let bytes = sameBytes(value.encodedPayload(), as: value)
            expect(try Payloads.node(bytes, id: value.id) == value)
        }
    }

    @Test("A session's attributes have the bytes of the schema's message, and come back")
    func attributes() throws {
        var (sampler, extremes) = (SessionSampler(seed: 21), Extremes(seed: 22))
        let values =
            (0..<60).map { sampler.window(tabs: $0).attributes }
            + (0..<200).map { _ in extremes.attributes() } + [SessionAttributes()]
        for value in values {
            expect(try Payloads.attributes(sameBytes(value.encodedPayload(), as: value)) == value)
        }
    }

    @Test("A history has the bytes of the schema's message, and comes back")
    func histories() throws {
        var extremes = Extremes(seed: 32)
        let values =
            Self.tabs.prefix(60).map { SampleState.history(of: $0) }
            + (0..<100).map { _ in extremes.history() } + [NavigationHistory()]
        for value in values {
            expect(try Payloads.history(sameBytes(value.encoded(), as: value)) == value)
        }
    }

    @Test("A partition's manifest has the bytes of the schema's messages, and comes back")
    func manifest() throws {
        for number: UInt32 in [0, 1, 0x7F, .max, 1 << 31] {
            let manifest = Manifest(records: UInt64(number), fingerprint: ~UInt64(number) &* 3)
            let message = message(of: manifest)
            expect(message.bytes == manifest.encodedPayload())
            expect(try Payloads.manifest(message.bytes) == manifest)
        }
        for (checksum, length) in [(UInt32(0), 0), (1, 1), (.max, 16 << 20)] {
            let entry = StateEntry(checksum: checksum, length: length)
            let message = SchemaMessage(
                "StateEntry",
                ["checksum": .number(UInt64(checksum)), "length": .number(UInt64(length))])
            expect(message.bytes == entry.encodedPayload())
            expect(try Payloads.stateEntry(message.bytes) == entry)
        }
        for (time, name, isPinned) in [(Int64(0), "", false), (-1, "before", true)] {
            let point = RestorePoint(
                id: RestorePointID(rawValue: 7), takenAt: Timestamp(microseconds: time),
                reason: .named, name: name, isPinned: isPinned, tabCount: 31, lostTabCount: 9)
            let sums = Manifest(records: 5, fingerprint: .max)
            let record = PointRecord(point: point, sums: sums, count: 77)
            let message = SchemaMessage(
                "RestorePoint",
                [
                    "taken_at": .number(UInt64(bitPattern: time)), "reason": .text("named"),
                    "name": .text(name), "is_pinned": .number(isPinned ? 1 : 0),
                    "sums": .messages([self.message(of: sums)]), "count": .number(77),
                    "tab_count": .number(31), "lost_tab_count": .number(9),
                ])
            expect(message.bytes == record.encodedPayload())
            expect(try Payloads.point(message.bytes, number: 7) == record)
        }
    }

    private func message(of sums: Manifest) -> SchemaMessage {
        SchemaMessage(
            "Manifest",
            ["records": .number(sums.records), "fingerprint": .number(sums.fingerprint)])
    }

    @Test("Losses have the bytes of the schema's message, and come back")
    func losses() throws {
        let session = SessionID(window: WindowID(high: 1, low: 2), kind: .inactive)
        let losses = [
            Loss(.tab, session: session, tab: TabID(high: 3, low: 4), detail: "a bit fell over"),
            Loss(.unknownRecords, detail: ""),
            Loss(
                .nodeReplacedByEarlier, session: session, node: NodeID(high: 5, low: 6), detail: "n"
            ),
        ]
        let message = SchemaMessage(
            "Losses",
            [
                "losses": .messages(
                    losses.map { loss in
                        SchemaMessage(
                            "Loss",
                            [
                                "kind": .text(loss.kind.rawValue),
                                "session": .text(loss.session?.description ?? ""),
                                "tab": .bytes(loss.tab?.bytes ?? []), "detail": .text(loss.detail),
                                "node": .bytes(loss.node?.bytes ?? []),
                            ])
                    })
            ])
        expect(message.bytes == Losses(losses: losses).encodedPayload())
        expect(try Payloads.losses(message.bytes) == losses)
        expect(try Payloads.losses([]) == [])
    }

    @Test("A kind of loss of a newer version is a loss of unknown extent")
    func unknownLoss() throws {
        let loss = SchemaMessage("Loss", ["kind": .text("cosmicRay")])
        let message = SchemaMessage("Losses", ["losses": .messages([loss])])
        expect(try Payloads.losses(message.bytes).map(\.kind) == [.unknownRecords])
    }
}
