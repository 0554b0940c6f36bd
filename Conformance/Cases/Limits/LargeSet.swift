import BrowserSessions

extension ConformanceSuite {
    /// LIMITS-9.
    @Sendable static func largeSet(_ context: CaseContext) async throws {
        let (count, size) = (8, 8 << 20)
        let window = Plain.window(1, tabs: 0..<count)
        var changes = window.changes
        // Each blob is unique, and none resembles its neighbor's end.
        let blobs = (1...UInt8(count)).map { number -> [UInt8] in
            var blob = [UInt8](repeating: number, count: size - 1)
            blob.append(100 + number)
            return blob
        }
        for (number, blob) in blobs.enumerated() { changes.put(blob, for: Plain.key(number)) }
        let location = try await context.makeLocation()
        // A limit below a blob would be the harness's.
        let options: [String: OptionValue] = ["maximumStateBytes": .integer(size)]
        var store = try await context.open(location, options: options)
        try await requireSuccess("a set of 64 MiB was refused") { try await store.save(changes) }
        if context.canReopen {
            try await store.close()
            store = try await context.open(location, options: options)
        }
        try await window.check(in: store, "a session saved with 64 MiB of state")
        for (number, blob) in blobs.enumerated() {
            try require(
                try await store.state(of: Plain.key(number))?.equals(blob) == true,
                "state \(number) of 8 MiB is not as saved")
        }
        try await store.close()
    }
}
