import BrowserSessions
import DirectoryBackend
import LocalFiles
import StorageEngines
import Testing

@Suite("Directory engine")
struct DirectoryTests {
    @Test("Programs that never close the store do not leave a log each")
    func neverClosed() throws {
        let scratch = try Scratch()
        let engine = DirectoryEngine()
        var most = 0
        for number in UInt8(1)...60 {
            // Closed by nobody, as after a kill.
            let store = try engine.open(scratch.path)
            #expect(try store.contents(.metadata).count == Int(number) - 1)
            try store.put([number], [number], durably: false)
            try store.put([number], [number % 4], in: .state, durably: false)
            most = max(most, try Scratch.files(in: scratch.path).count)
        }
        #expect(most <= 24)
        let store = try engine.open(scratch.path)
        #expect(
            try store.contents(.metadata)
                == Dictionary(
                    uniqueKeysWithValues: (UInt8(1)...60).map { ([$0], [$0]) }))
        #expect(try store.contents(.state) == [[1]: [57], [2]: [58], [3]: [59], [0]: [60]])
        try store.close()
    }

    @Test("State that is replaced again and again takes bounded space while the store is open")
    func replacedState() throws {
        let scratch = try Scratch()
        let store = try DirectoryEngine().open(scratch.path)
        // Stays, in a log whose other bytes are replaced.
        try store.put([UInt8](repeating: 7, count: 50_000), [0], in: .state)
        var most = 0
        for number in 0..<1500 {
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 10_000)
            try store.put(value, [1], in: .state, durably: false)
            if store.wantsMaintenance { try store.maintain() }
            guard number % 50 == 0 else { continue }
            let files = try FileSystem.contents(of: scratch.path)
            let sizes = try files.map {
                try FileSystem.status("\(scratch.path)/\($0)")?.size ?? 0
            }
            most = max(most, sizes.reduce(0, +))
        }
        // Of 15 MB.
        #expect(most < 5 << 20)
        try store.close()
        let again = try DirectoryEngine().open(scratch.path)
        #expect(try again.value(of: [0], in: .state)?.count == 50_000)
        #expect(try again.value(of: [1], in: .state)?.first == UInt8(truncatingIfNeeded: 1499))
        try again.close()
    }
}
