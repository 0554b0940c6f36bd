import BrowserModel
import Testing

extension SettingKey<Int> {
    fileprivate static var days: Self { SettingKey("tabs.days", default: 21) }
}

private enum Theme: String, SettingValue {
    case light, dark
}

/// A storage that fails as it is told.
private final class FailingStorage: SettingsStorage {
    var kept: [String: StoredSetting] = [:]
    var failsReading = false
    var failsWriting = false
    var writes = 0

    func setting(named name: String) throws -> StoredSetting? {
        if failsReading { throw Failure() }
        return kept[name]
    }

    func setSetting(_ value: StoredSetting?, named name: String) throws {
        if failsWriting { throw Failure() }
        writes += 1
        kept[name] = value
    }
}

@Suite struct LocalSettingsTests {
    let settings = LocalSettings()

    @Test func aSettingThatWasNeverSetHasItsDefault() throws {
        #expect(try settings.value(of: .days) == 21)
    }

    @Test func everyTypeComesBackAsItWasSet() throws {
        func check<Value: SettingValue>(_ value: Value, _ other: Value) throws {
            let key = SettingKey("key.\(Value.self)", default: other)
            try settings.set(value, for: key)
            #expect(try settings.value(of: key) == value)
            try settings.remove(key)
            #expect(try settings.value(of: key) == other)
        }
        try check(true, false)
        try check(Int.min, 1)
        try check("ä", "")
        try check(["b", "a"], [])
        try check(Theme.dark, .light)
    }

    @Test func aValueOfAWrongTypeIsReportedAndKept() throws {
        let storage = MemorySettingsStorage(["tabs.days": .text("many")])
        let settings = LocalSettings(storage: storage)
        let expected = "setting 'tabs.days' holds a value of type String that is no Int"
        #expect(message { try settings.value(of: .days) }.contains(expected))
        #expect(message { try settings.set(3, for: .days) }.contains(expected))
        #expect(storage.settings == ["tabs.days": .text("many")])
        try settings.remove(.days)
        #expect(try settings.value(of: .days) == 21)
    }

    @Test func aTextThatStandsForNoCaseIsReported() throws {
        let settings = LocalSettings(storage: MemorySettingsStorage(["theme": .text("purple")]))
        let key = SettingKey("theme", default: Theme.light)
        #expect(message { try settings.value(of: key) }.contains("is no Theme"))
    }

    @Test func aValueThatCannotBeReadIsNeitherTheDefaultNorReplaced() throws {
        let storage = FailingStorage()
        let settings = LocalSettings(storage: storage)
        storage.failsReading = true
        let expected = "setting 'tabs.days' cannot be read: the disk is away"
        #expect(message { try settings.value(of: .days) }.contains(expected))
        #expect(message { try settings.set(3, for: .days) }.contains(expected))
        #expect(storage.writes == 0)
        try settings.remove(.days)
        #expect(storage.writes == 1)
    }

    @Test func aFailedWriteChangesNothingAndTellsNobody() throws {
        let storage = FailingStorage()
        let settings = LocalSettings(storage: storage)
        var heard: [Int] = []
        let observation = settings.observe(.days) { heard.append($0) }
        storage.failsWriting = true
        #expect(message { try settings.set(3, for: .days) }.contains("cannot be written"))
        #expect(message { try settings.remove(.days) }.contains("cannot be written"))
        #expect(try settings.value(of: .days) == 21)
        #expect(heard == [])
        withExtendedLifetime(observation) {}
    }

    @Test func settingTheSameValueWritesNothing() throws {
        let storage = FailingStorage()
        let settings = LocalSettings(storage: storage)
        try settings.set(21, for: .days)
        try settings.set(21, for: .days)
        #expect(storage.writes == 1)
    }

    @Test func observersHearChangesUntilTheyAreCancelled() throws {
        var heard: [Int] = []
        let observation = settings.observe(.days) { heard.append($0) }
        try settings.set(21, for: .days)
        try settings.set(3, for: .days)
        try settings.set(3, for: .days)
        try settings.set(true, for: SettingKey("other", default: false))
        try settings.remove(.days)
        #expect(heard == [3, 21])
        observation.cancel()
        observation.cancel()
        try settings.set(4, for: .days)
        #expect(heard == [3, 21])
    }

    @Test func anObservationEndsWhenItIsLetGoOf() throws {
        var heard: [Int] = []
        do { _ = settings.observe(.days) { heard.append($0) } }
        try settings.set(3, for: .days)
        #expect(heard == [])
    }

    @Test func noObserverHearsAnOlderValueAfterANewerOne() throws {
        var heard: [String] = []
        let first = settings.observe(.days) { [settings] value in
            heard.append("first \(value)")
            if value == 1 { try? settings.set(2, for: .days) }
        }
        let second = settings.observe(.days) { heard.append("second \($0)") }
        try settings.set(1, for: .days)
        #expect(heard == ["first 1", "first 2", "second 2"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func anObserverMayOwnObservationsThatEndWithIt() throws {
        var heard = 0
        var outer: SettingObservation?
        do {
            let inner = settings.observe(.days) { _ in heard += 1 }
            outer = settings.observe(.days) { _ in withExtendedLifetime(inner) { heard += 1 } }
        }
        try settings.set(1, for: .days)
        #expect(heard == 2)
        #expect(outer != nil)
        outer = nil
        try settings.set(2, for: .days)
        #expect(heard == 2)
    }

    @Test func anObserverMayEndOthersWhileItIsCalled() throws {
        var heard = 0
        var second: SettingObservation?
        let first = settings.observe(.days) { _ in second = nil }
        // Owns an observation of its own, which ends with it.
        let inner = settings.observe(.days) { _ in }
        second = settings.observe(.days) { _ in
            heard += 1
            inner.cancel()
        }
        try settings.set(1, for: .days)
        #expect(heard == 0)
        #expect(second == nil)
        withExtendedLifetime(first) {}
    }
}
