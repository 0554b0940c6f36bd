import Expectations

@testable import BrowserSessions
@testable import StorageEngines

struct StorageConfigurationTests {
    let known: [StorageOption] =
        StorageOption.common + [
            StorageOption(
                "pages", kind: .integer(-5...5), default: .integer(1), summary: "some pages"),
            StorageOption(
                "mode", kind: .choice(["a", "b"]), default: .text("a"), summary: "a mode"),
            StorageOption("key", kind: .text, default: .text(""), isSecret: true, summary: "a key"),
        ]

    func message(_ options: [String: OptionValue]) throws -> String? {
        let configuration = StorageConfiguration(location: "/nowhere", options: options)
        do throws(StorageError) {
            try configuration.validate(against: known, of: "paper")
            return nil
        } catch {
            expect(error.code, is: .invalidConfiguration)
            expect(error.effect, is: .notApplied)
            return error.message
        }
    }

    @Test(
        arguments: [
            [:],
            ["durability": .text("memory")], ["durability": .text("processCrash")],
            ["durability": .text("powerLoss"), "create": .bool(false)],
            ["maximumStateBytes": .integer(1)], ["maximumStateBytes": .integer(1 << 30)],
            ["pages": .integer(-5)], ["pages": .integer(5)], ["mode": .text("b")],
            ["key": .text("")], ["key": .text("anything at all")],
        ] as [[String: OptionValue]])
    func legal(options: [String: OptionValue]) throws {
        expect(try message(options) == nil)
    }

    private static let levels = "one of memory, processCrash, powerLoss, replicated"

    @Test(
        arguments: [
            ("durability", .text("PowerLoss"), Self.levels),
            ("durability", .integer(2), Self.levels),
            ("maximumStateBytes", .integer(0), "a whole number from 1 to 1073741824"),
            ("maximumStateBytes", .integer((1 << 30) + 1), "a whole number from 1 to 1073741824"),
            ("maximumStateBytes", .text("5"), "a whole number from 1 to 1073741824"),
            ("pages", .integer(-6), "a whole number from -5 to 5"),
            ("create", .text("true"), "true or false"), ("create", .integer(1), "true or false"),
            ("mode", .text(""), "one of a, b"), ("key", .bool(true), "text"),
        ] as [(String, OptionValue, String)])
    func illegalValues(name: String, value: OptionValue, expectation: String) throws {
        expect(
            try message([name: value])
                == "option '\(name)' of backend 'paper' must be \(expectation)")
    }

    @Test func unknownOptionsAreNamedWithTheKnownOnes() throws {
        let names = """
            access, allowNetworkDisk, create, durability, key, maximumStateBytes, mode, pages, \
            restorePointBytes, restorePointInterval
            """
        for name in ["Mode", "", "pagess"] {
            expect(
                try message([name: .bool(true), "zzz": .bool(true)])
                    == "backend 'paper' has no option '\(name)'; it has: \(names)")
        }
    }

    @Test func defaults() {
        let plain = StorageConfiguration(location: "/nowhere")
        expect(plain.mayCreate)
        expect(plain.defaultDurability, is: .powerLoss)
        expect(plain.maximumStateBytes, is: 16 << 20)
        for option in known {
            expect(plain.value(of: option), is: option.defaultValue)
            expect(option.accepts(option.defaultValue))
        }
    }

    @Test func levelsOfDurabilityAreOrdered() {
        expect(Durability.allCases.sorted(), is: [.memory, .processCrash, .powerLoss, .replicated])
    }
}
