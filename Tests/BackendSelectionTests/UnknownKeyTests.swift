import BackendSelection
import BrowserSessions
import Expectations
import TestSupport

/// Any name that is not known is refused, wherever it stands.
struct UnknownKeyTests {
    let fakes = Fakes()

    /// Unknown names, many of them one typing error away from a known one.
    static let names: [String] = {
        var generator = Seeded(state: 1)
        let known = [
            "backend", "location", "options", "durability", "create", "maximumStateBytes",
            "pageCacheKiB", "journal", "passphrase", "pin", "label", "compression", "blockSize",
            "sqlite", "leveldb", "directory", "memory",
        ]
        let letters = Array("abcdefghijklmnopqrstuvwxyzXYZ019_-")
        return (0..<120).compactMap { _ in
            var letterList = Array(known.randomElement(using: &generator) ?? "")
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let place = Int.random(in: 0..<letterList.count, using: &generator)
                let letter = letters.randomElement(using: &generator) ?? "q"
                if Bool.random(using: &generator) {
                    letterList[place] = letter
                } else {
                    letterList.insert(letter, at: place)
                }
            }
            let name = String(letterList)
            return known.contains(name) ? nil : name
        }
    }()

    struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test(arguments: names)
    func inEveryPosition(name: String) throws {
        let directory = TemporaryFolder()
        let files = [
            "\"\(name)\": \"x\"", "\"\(name)\": {}", "\"options\": {\"\(name)\": 1}",
            "\"sqlite\": {\"\(name)\": 1}", "\"leveldb\": {\"\(name)\": 1}",
            "\"directory\": {\"\(name)\": 1}",
        ]
        for (index, text) in files.enumerated() {
            for suffix in ["json", "yaml"] {
                let file = try directory.write("\(index).\(suffix)", "{\(text)}")
                let message = try refusal { try fakes.resolve(storage: "sqlite:p", file: file) }
                expect(message.contains("\(file):1 ("), "\(message)")
                expect(message.contains("'\(name)'"), "\(message)")
            }
        }
        for message in [
            try refusal { try fakes.resolve(storage: "sqlite:p?\(name)=1") },
            try refusal { try fakes.resolve(storage: "\(name):p") },
            try refusal { try fakes.resolve(storage: "sqlite:p", options: ["\(name)=1"]) },
            try refusal {
                try fakes.resolve(
                    storage: "sqlite:p", environment: ["SESSION_STORAGE_\(name)": "1"])
            },
            try refusal {
                let variable = "SESSION_STORAGE_OPTION_\(name)"
                return try fakes.resolve(storage: "sqlite:p", environment: [variable: "1"])
            },
            try refusal { try fakes.resolve(.code(backend: name, location: "p")) },
            try refusal {
                let options = [name: OptionValue.integer(1)]
                return try fakes.resolve(.code(backend: "sqlite", location: "p", options: options))
            },
        ] {
            expect(message.contains(name), "\(message)")
        }
    }
}
