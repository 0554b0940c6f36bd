import BrowserSessions
import DirectoryBackend
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
}
