import BrowserSessions
import Expectations

@testable import BackendSelection

struct OptionValueTests {
    let fakes = Fakes()

    @Test(arguments: [
        ("0", 0), ("-5", -5), ("1KiB", 1024), ("16MiB", 16 << 20), ("2GiB", 2 << 30), ("007", 7),
        ("9223372036854775807", Int.max),
    ])
    func wholeNumbers(text: String, number: Int) {
        expect(ByteCount.parse(text), is: number)
    }

    @Test(arguments: [
        "", "-", "+1", "1.5", "1e3", "1 KiB", "KiB", "16MB", "16mib", "0x10", "１",
        "9223372036854775808", "9007199254740992KiB", "1KiBKiB",
    ])
    func otherTextsAreNoNumbers(text: String) {
        expect(ByteCount.parse(text) == nil)
    }

    @Test(arguments: [
        ("maximumStateBytes", "MAXIMUM_STATE_BYTES"), ("durability", "DURABILITY"),
        ("pageCacheKiB", "PAGE_CACHE_KIB"), ("useWALMode", "USE_WAL_MODE"), ("a-b.c", "A_B_C"),
        ("level2Cache", "LEVEL2_CACHE"),
    ])
    func variables(option: String, variable: String) {
        expect(StorageOption.upperSnake(option), is: variable)
    }

    @Test(arguments: [
        ("durability=powerlos", "powerLoss, replicated, not 'powerlos'; did you mean"),
        ("create=1", "must be true or false, not '1'"),
        ("maximumStateBytes=0", "a whole number from 1 to 1073741824, not '0'"),
        ("maximumStateBytes=2GiB", "not '2GiB'"),
        ("maximumStateBytes=many", "not 'many'"),
        ("pageCacheKiB=-1", "option 'pageCacheKiB' of backend 'sqlite' must be"),
        ("journal=", "one of wal, delete, not ''"),
    ])
    func wrongTextsAreRefused(option: String, problem: String) throws {
        let message = try refusal { try fakes.resolve(storage: "sqlite:p", options: [option]) }
        expect(message.contains(problem), "\(message)")
        expect(message.contains("command line (--option \(option.prefix { $0 != "=" }))"))
    }

    @Test(arguments: [
        ("create", OptionValue.integer(1)), ("create", .text("true")),
        ("maximumStateBytes", .bool(true)), ("maximumStateBytes", .text("5")),
        ("maximumStateBytes", .integer(0)), ("label", .integer(5)), ("label", .bool(true)),
        ("durability", .text("none")), ("durability", .integer(1)),
    ])
    func wrongKindsAreRefused(name: String, value: OptionValue) throws {
        let message = try refusal {
            try fakes.resolve(.code(backend: "sqlite", location: "p", options: [name: value]))
        }
        expect(message.hasPrefix("select: code: option '\(name)' of backend 'sqlite' must be "))
    }
}
