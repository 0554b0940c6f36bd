import BrowserModel
import Expectations

extension SettingKey<Int> {
    fileprivate static var days: Self { SettingKey("tabs.days", default: 21) }
}

private enum Theme: String, SettingValue {
    case light, dark
}

/// A storage that fails on request.
final class FailingStorage: SettingsStorage {
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

/// Writes down the days that it reads whenever a setting changed.
private final class DaysObserver: LocalSettingsObserver {
    var heard: [Int] = []
    var names: [String] = []
    var react: (Int) -> Void = { _ in }

    func localSettings(_ settings: LocalSettings, didChange name: String) {
        names.append(name)
        guard name == SettingKey<Int>.days.name, let days = try? settings.value(of: .days) else {
            return
        }
        heard.append(days)
        react(days)
    }
}

struct LocalSettingsTests {
    let settings = LocalSettings()

    @Test func aSettingThatWasNeverSetHasItsDefault() throws {
        expect(try settings.value(of: .days) == 21)
    }

    @Test func everyTypeComesBackAsItWasSet() throws {
        func check<Value: SettingValue>(_ value: Value, _ other: Value) throws {
            let key = SettingKey("key.\(Value.self)", default: other)
            try settings.set(value, for: key)
            expect(try settings.value(of: key) == value)
            try settings.remove(key)
            expect(try settings.value(of: key) == other)
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
        expect(message { try settings.value(of: .days) }.contains(expected))
        expect(message { try settings.set(3, for: .days) }.contains(expected))
        expect(storage.settings, is: ["tabs.days": .text("many")])
        try settings.remove(.days)
        expect(try settings.value(of: .days) == 21)
    }

    @Test func aTextThatStandsForNoCaseIsReported() throws {
        let settings = LocalSettings(storage: MemorySettingsStorage(["theme": .text("purple")]))
        let key = SettingKey("theme", default: Theme.light)
        expect(message { try settings.value(of: key) }.contains("is no Theme"))
    }

    @Test func aValueThatCannotBeReadIsNeitherTheDefaultNorReplaced() throws {
        let storage = FailingStorage()
        let settings = LocalSettings(storage: storage)
        storage.failsReading = true
        let expected = "setting 'tabs.days' cannot be read: the disk is away"
        expect(message { try settings.value(of: .days) }.contains(expected))
        expect(message { try settings.set(3, for: .days) }.contains(expected))
        expect(storage.writes, is: 0)
        try settings.remove(.days)
        expect(storage.writes, is: 1)
    }

    @Test func aFailedWriteChangesNothingAndTellsNobody() throws {
        let storage = FailingStorage()
        let settings = LocalSettings(storage: storage)
        let observer = DaysObserver()
        settings.addObserver(observer)
        storage.failsWriting = true
        expect(message { try settings.set(3, for: .days) }.contains("cannot be written"))
        expect(message { try settings.remove(.days) }.contains("cannot be written"))
        expect(try settings.value(of: .days) == 21)
        expect(observer.names, is: [])
    }

    @Test func settingTheSameValueWritesNothing() throws {
        let storage = FailingStorage()
        let settings = LocalSettings(storage: storage)
        try settings.set(21, for: .days)
        try settings.set(21, for: .days)
        expect(storage.writes, is: 1)
    }

    @Test func observersHearOfChangesUntilTheyAreRemoved() throws {
        let observer = DaysObserver()
        settings.addObserver(observer)
        settings.addObserver(observer)
        try settings.set(21, for: .days)
        try settings.set(3, for: .days)
        try settings.set(3, for: .days)
        try settings.set(true, for: SettingKey("other", default: false))
        try settings.remove(.days)
        expect(observer.names, is: ["tabs.days", "other", "tabs.days"])
        expect(observer.heard, is: [3, 21])
        settings.removeObserver(observer)
        settings.removeObserver(observer)
        try settings.set(4, for: .days)
        expect(observer.heard, is: [3, 21])
    }

    @Test func anObserverIsNotKeptAlive() throws {
        weak var gone: DaysObserver?
        do {
            let observer = DaysObserver()
            settings.addObserver(observer)
            gone = observer
        }
        expect(gone == nil)
        try settings.set(3, for: .days)
    }

    @Test func noObserverHearsAnOlderValueAfterANewerOne() throws {
        let (first, second) = (DaysObserver(), DaysObserver())
        var heard: [String] = []
        first.react = { [settings] value in
            heard.append("first \(value)")
            if value == 1 { try? settings.set(2, for: .days) }
        }
        second.react = { heard.append("second \($0)") }
        settings.addObserver(first)
        settings.addObserver(second)
        try settings.set(1, for: .days)
        expect(heard, is: ["first 1", "first 2", "second 2"])
    }

    @Test func anObserverMayRemoveAndAddOthersWhileItIsTold() throws {
        let (first, second, third) = (DaysObserver(), DaysObserver(), DaysObserver())
        first.react = { [settings] _ in
            settings.removeObserver(second)
            settings.addObserver(third)
        }
        settings.addObserver(first)
        settings.addObserver(second)
        try settings.set(1, for: .days)
        expect(second.heard, is: [])
        expect(third.heard, is: [])
        try settings.set(2, for: .days)
        expect(third.heard, is: [2])
    }
}
