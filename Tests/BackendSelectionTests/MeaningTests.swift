import BackendSelection
import BrowserSessions
import Expectations
import Foundation

@Suite("What an option's value amounts to")
struct MeaningTests {
    private func explanation(_ options: [String: OptionValue]) throws -> SelectionExplanation {
        let keys = StorageOption(
            "keys", kind: .choice(["auto", "file"]), default: .text("auto"),
            summary: "where keys are")
        let backend = StorageBackend(
            name: "fake", summary: "fake", options: [keys],
            meanings: {
                ["keys": "key under \($0.location), \($0.value(of: keys) == .text("auto"))"]
            }
        ) { _ throws(StorageError) in throw StorageError(.failed, "opened") }
        let layer = SelectionLayer.code(
            backend: "fake", location: "/place", options: options)
        return try BackendSelector(registry: BackendRegistry([backend]), layers: [layer])
            .resolve().explanation
    }

    @Test("stands below the value, for the location and options that are selected")
    func lines() throws {
        let lines = try explanation([:]).lines
        let index = try require(lines.firstIndex { $0.hasPrefix("keys ") })
        expect(lines[index + 1].hasSuffix("    that is key under /place, true"))
        expect(lines.count { $0.contains("that is") }, is: 1)
        let other = try explanation(["keys": .text("file")])
        expect(other.entries.last?.meaning, is: "key under /place, false")
        expect(other.lines.last?.contains("instead of auto"), is: true)
    }

    @Test("is in the JSON of its setting only")
    func json() throws {
        let data = try JSONEncoder().encode(try explanation([:]))
        let entries = try require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        expect(entries.compactMap { $0["meaning"] as? String }, is: ["key under /place, true"])
    }
}
