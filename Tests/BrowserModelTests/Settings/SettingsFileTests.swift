import BrowserModel
import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

extension SettingKey<Int> {
    static var inactiveDays: Self { SettingKey("tabs.inactive-days", default: 21) }
}

struct SettingsFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("settings.json") }

    private static let isSet = SettingKey("is-set", default: false)
    private static let number = SettingKey("number", default: 1)
    private static let names = SettingKey("names", default: ["none"])

    @Test func settingsOutliveTheProcess() throws {
        let settings = LocalSettings(storage: SettingsFile(path: path))
        try settings.set(true, for: Self.isSet)
        try settings.set(7, for: Self.number)
        try settings.set(["a", "b"], for: Self.names)
        let next = LocalSettings(storage: SettingsFile(path: path))
        expect(try next.value(of: Self.isSet))
        expect(try next.value(of: Self.number) == 7)
        expect(try next.value(of: Self.names) == ["a", "b"])
        try next.remove(Self.number)
        let last = LocalSettings(storage: SettingsFile(path: path))
        expect(try last.value(of: Self.number) == 1)
        expect(try FileSystem.status(path)?.permissions == 0o600)
    }

    @Test func aFileThatCannotBeUnderstoodIsLeftAsItIs() throws {
        let damage: [UInt8] = Array("{\"number\": 7".utf8)
        try FileSystem.replace(path, with: damage)
        let settings = LocalSettings(storage: SettingsFile(path: path))
        expect(throws: SettingsError.self) { try settings.value(of: Self.number) }
        expect(throws: SettingsError.self) { try settings.set(8, for: Self.number) }
        expect(throws: SettingsError.self) { try settings.remove(Self.number) }
        expect(try FileSystem.read(path) == damage)
    }

    @Test func aSettingThatCannotBeWrittenKeepsItsFormerValue() throws {
        let settings = LocalSettings(storage: SettingsFile(path: folder.file("absent/file")))
        expect(throws: SettingsError.self) { try settings.set(8, for: Self.number) }
        expect(try settings.value(of: Self.number) == 1)
    }

    @Test func thePageShowsTheCodeOfThisFile() throws {
        let settings = LocalSettings(storage: SettingsFile(path: path))
        #expect(try settings.value(of: .inactiveDays) == 21)
        try settings.set(7, for: .inactiveDays)
        expect(try settings.value(of: .inactiveDays) == 7)
    }
}
