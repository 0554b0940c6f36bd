import BrowserSessions
import SessionSamples

/// Lost connections.
enum LossCases {
    // MARK: - Anywhere in the life of a store

    /// A store is opened, saves, reads and closes.
    @Sendable static func life(_ way: WireWay, _ context: CaseContext) async throws {
        try await cutLives(way, context, of: 1)
    }

    /// The same for a store that is made meanwhile.
    @Sendable static func making(_ way: WireWay, _ context: CaseContext) async throws {
        try await cutLives(way, context, of: 0)
    }

    /// - Parameter last: the last set that is there before.
    private static func cutLives(_ way: WireWay, _ context: CaseContext, of last: Int) async throws
    {
        let first = try await LinkedStore(context, timeout: .seconds(20))
        try await setUp(first, last)
        let length = try await first.traffic(way) { try await live(first, last) }
        var cuts = 0
        for place in context.places(upTo: length, context.amount(12, full: 60, long: 1000)) {
            for staysLost in [false, true] {
                let store = try await first.another()
                try await setUp(store, last)
                var range = last...last
                let moment = "cut after \(place) of \(length) \(way.rawValue)"
                context.trying(staysLost ? "\(moment), for good" : moment)
                let wasCut = try await store.cutting(way, after: place) {
                    range = try await live(store, last, staysLost: staysLost)
                }
                cuts += wasCut ? 1 : 0
                try await store.judge(range, moment)
                try await context.remove(store.location)
            }
        }
        guard cuts > 0 else { throw HarnessFault("the link cut no connection") }
    }

    private static func setUp(_ store: LinkedStore, _ last: Int) async throws {
        guard last > 0 else { return }
        let made = try await store.open()
        for number in 1...last { _ = try await store.save(number, in: made) }
        try await made.close()
    }

    /// Returns the range of sets; the last one is uncertain.
    ///
    /// - Parameter staysLost: whether no other connection can be made after the store is open.
    @discardableResult
    private static func live(_ linked: LinkedStore, _ last: Int, staysLost: Bool = false)
        async throws -> ClosedRange<Int>
    {
        var (least, most) = (last, last)
        var opened: (any SessionStorage)?
        defer { linked.wire.refuse(false) }
        do throws(StorageError) {
            let store = try await linked.open()
            opened = store
            linked.wire.refuse(staysLost)
            do throws(StorageError) {
                _ = try await linked.save(last + 1, in: store)
                (least, most) = (last + 1, last + 1)
            } catch {
                if error.effect != .notApplied { most = last + 1 }
                throw error
            }
            let shown = try await linked.shown(by: store)
            if shown != last + 1 { throw StorageError(.failed, "set \(shown) is shown") }
            try await store.close()
        } catch {
            try error.requireUnavailable(from: "a call that lost its connection")
            try? await opened?.close()
        }
        return least...most
    }

    // MARK: - Within saves

    @Sendable static func saves(_ way: WireWay, _ context: CaseContext) async throws {
        let linked = try await LinkedStore(context, timeout: .seconds(20))
        let store = try await linked.open()
        var last = 1
        _ = try await linked.save(last, in: store)
        last += 1
        let length = try await linked.traffic(way) { _ = try await linked.save(last, in: store) }
        var cuts = 0
        for place in context.places(upTo: length, context.amount(40, full: 200, long: 4000)) {
            context.trying("cut after \(place) of \(length) \(way.rawValue)")
            let wasCut = try await linked.cutting(way, after: place) {
                try await saveOnce(last + 1, in: store, of: linked)
            }
            cuts += wasCut ? 1 : 0
            last += 1
            let shown = try await linked.context.again("reading") { () async throws(StorageError) in
                try await linked.shown(by: store)
            }
            try requireEqual(shown, last, "the last set after a save that lost its connection")
        }
        guard cuts > 0 else { throw HarnessFault("the link cut no connection") }
        try await linked.context.again("closing") { () async throws(StorageError) in
            try await store.close()
        }
        try await linked.judge(last...last, "after saves that lost their connections")
    }

    /// Saves a set until it is applied, and checks that it is applied once.
    private static func saveOnce(
        _ number: Int, in store: any SessionStorage, of linked: LinkedStore
    ) async throws {
        let receipt: SaveReceipt
        do throws(StorageError) {
            receipt = try await linked.save(number, in: store)
        } catch {
            try error.requireUnavailable(from: "a save that lost its connection")
            let shown = try await linked.context.again("reading") { () async throws(StorageError) in
                try await linked.shown(by: store)
            }
            try require(
                shown == number - 1 || shown == number && error.effect != .notApplied,
                "a save was refused as not applied, and set \(shown) is there")
            if shown == number { return }
            receipt = try await linked.context.again("saving") { () async throws(StorageError) in
                try await linked.save(number, in: store)
            }
        }
        try require(
            receipt.sequence == UInt64(number) && !receipt.wasAlreadyApplied,
            "set \(number) was applied as number \(receipt.sequence)")
    }

    // MARK: - Within reading

    @Sendable static func reading(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let linked = try await LinkedStore(context, timeout: .seconds(20))
        let large = sampler.window(tabs: 1, state: .blobs(400_000...500_000))
        // Without groups, reading the tabs is the last that a restore does.
        var many = sampler.window(tabs: 150, state: .blobs(2000...4000))
        many.nodes = []
        for index in many.tabs.indices { many.tabs[index].metadata.parent = nil }
        let saved = [many, large]
        let made = try await linked.open()
        for session in saved { _ = try await made.save(session.creation) }
        try await made.close()
        let expected = StoreContent(saved)

        var (opening, whole) = (0, 0)
        opening = try await linked.traffic(.received) { try await linked.open().close() }
        for place in context.places(upTo: opening, context.amount(6, full: 30)) {
            context.trying("an opening, cut after \(place) of \(opening)")
            var opened: (any SessionStorage)?
            _ = try await linked.cutting(.received, after: place) {
                opened = try await linked.openFreed()
            }
            guard let opened else { continue }
            let found = try await StoreContent.read(opened)
            try require(found == expected, "an opening that was cut knows a part as the whole")
            try await opened.close()
        }
        let store = try await linked.openFreed()
        whole = try await linked.traffic(.received) { _ = try await StoreContent.read(store) }
        for place in context.places(upTo: whole, context.amount(12, full: 60)) {
            context.trying("reading, cut after \(place) of \(whole)")
            _ = try await linked.cutting(.received, after: place) {
                try await read(store, expected)
            }
            _ = try await linked.cutting(.received, after: place) {
                do {
                    let report = try await store.check()
                    try require(report.isHealthy, "a check that was cut reports damage")
                } catch let error as StorageError {
                    try error.requireUnavailable(from: "a check that was cut")
                }
            }
        }
        let found = try await StoreContent.read(store)
        try require(found == expected, "after cuts: not all is there that was saved")
        try await linked.context.again("closing") { () async throws(StorageError) in
            try await store.close()
        }
    }

    private static func read(_ store: any SessionStorage, _ expected: StoreContent) async throws {
        do {
            let found = try await StoreContent.read(store)
            try require(found == expected, "reading that was cut returned a part as the whole")
        } catch let error as StorageError {
            try error.requireUnavailable(from: "reading that was cut")
        }
    }
}
