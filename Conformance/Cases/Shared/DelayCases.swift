import BrowserSessions

/// Mediums that answer late or not at all.
enum DelayCases {
    /// A limit above the time that any call may take with the timeout of these cases.
    private static let limit = Duration.seconds(10)
    private static let timeout = Duration.milliseconds(400)

    /// Delays both the request and the answer as long as possible.
    @Sendable static func late(_ context: CaseContext) async throws {
        let linked = try await LinkedStore(context, timeout: .seconds(20))
        let wire = linked.wire
        let store = try await linked.open()
        var last = 1
        _ = try await linked.save(last, in: store)
        for way in WireWay.allCases where !Task.isCancelled {
            last += 1
            let number = last
            wire.hold([way])
            async let receipt = linked.save(number, in: store)
            await BlockingWork.run {
                wire.waitUntilHeld()
                wire.free()
            }
            let sequence: UInt64
            do {
                sequence = try await receipt.sequence
            } catch {
                throw Violation("a save with late traffic (\(way.rawValue)) threw: \(error)")
            }
            try requireEqual(sequence, UInt64(number), "the number of a set that was late")
            try requireEqual(
                try await linked.shown(by: store), number, "the last set, which was late")
        }
        try await store.close()
        try await linked.judge(last...last, "after saves that were late")
    }

    /// A medium that stops answering, and comes back.
    @Sendable static func silent(_ context: CaseContext) async throws {
        let linked = try await LinkedStore(context, timeout: timeout)
        let other = try await linked.another()
        let store = try await linked.open()
        _ = try await linked.save(1, in: store)
        linked.wire.hold([.received])
        defer { linked.wire.free() }
        let save = try await outcome(of: "a save that is not answered", within: limit) {
            () async throws(StorageError) in _ = try await linked.save(2, in: store)
        }
        let error = try requireUnavailable(save, "a save that is not answered")
        try requireEqual(error.effect, .indeterminate, "the effect of a save that is not answered")
        let reading = try await outcome(of: "reading that is not answered", within: limit) {
            () async throws(StorageError) in _ = try await linked.shown(by: store)
        }
        try requireUnavailable(reading, "reading that is not answered")
        let opening = try await outcome(of: "an opening that is not answered", within: limit) {
            () async throws(StorageError) in _ = try await other.open()
        }
        try requireUnavailable(opening, "an opening that is not answered")
        let closing = try await outcome(of: "closing that is not answered", within: limit) {
            () async throws(StorageError) in try await store.close()
        }
        if case .failure(let error) = closing {
            try error.requireUnavailable(from: "closing that is not answered")
        }
        linked.wire.free()
        try await linked.judge(1...2, "when the medium answers again")
        try await other.judge(0...0, "when the medium answers again, another one")
    }

    /// The same at any step of an opening: no caller is blocked, and nothing is kept.
    @Sendable static func silentOpening(_ context: CaseContext) async throws {
        let linked = try await LinkedStore(context, timeout: timeout)
        let made = try await linked.open()
        _ = try await linked.save(1, in: made)
        try await made.close()
        let length = try await linked.traffic(.received) { try await linked.open().close() }
        for place in context.places(upTo: length, context.amount(5, full: 24, long: 100)) {
            context.trying("silent after \(place) of \(length)")
            linked.wire.hold([.received], after: place, onlyPresent: false)
            defer { linked.wire.free() }
            let opening = try await outcome(of: "an opening that is not answered", within: limit) {
                () async throws(StorageError) in try await linked.open().close()
            }
            if case .failure(let error) = opening {
                try error.requireUnavailable(from: "an opening that is not answered")
            }
            linked.wire.free()
            let store = try await linked.openFreed()
            _ = try await linked.requireSets(1...1, in: store, "after a silent opening")
            try await store.close()
        }
    }

    /// A store that was given up has no owner, and the process that gave it up knows this.
    @Sendable static func givenUp(_ context: CaseContext) async throws {
        let linked = try await LinkedStore(context, timeout: .seconds(20))
        let made = try await linked.open()
        _ = try await linked.save(1, in: made)
        try await made.close()
        for way in WireWay.allCases {
            let length = try await linked.traffic(way) { try await linked.open().close() }
            for place in context.places(upTo: length, context.amount(12, full: 60)) {
                context.trying("cut after \(place) of \(length) \(way.rawValue)")
                _ = try await linked.cutting(way, after: place) {
                    let store = try? await linked.open()
                    try? await store?.close()
                }
                let again = try await context.again("opening at once what was given up") {
                    () async throws(StorageError) in try await linked.open()
                }
                try await again.close()
            }
        }
    }

    @discardableResult
    private static func requireUnavailable(_ result: Result<Void, StorageError>, _ subject: String)
        throws -> StorageError
    {
        guard case .failure(let error) = result else {
            throw Violation("\(subject): expected .unavailable, no error was thrown")
        }
        try error.requireUnavailable(from: subject)
        return error
    }
}
