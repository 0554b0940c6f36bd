import BrowserModel
import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

struct ProfileNamesTests {
    private let folder = TemporaryFolder()
    private var root: String { folder.file("browser/profiles") }
    private var list: String { root + "/profiles.json" }

    private func launch() throws -> ApplicationContext { try ApplicationContext(keptIn: root) }

    @Test func profilesAreKnownAfterARelaunch() throws {
        do {
            let profiles = try launch().profiles
            expect(try profiles.knownNames() == [])
            for name in ["work", "Anna", "日本"] { try profiles.create(named: name) }
            try profiles.remove(named: "Anna")
            profiles.endAll()
            expect(profiles.profiles.isEmpty)
        }
        let next = try launch().profiles
        expect(try next.knownNames() == ["work", "日本"])
        expect(next.profiles.isEmpty)
        try next.create(named: "日本")
        try next.create(named: "Anna")
        try next.remove(named: "work")
        expect(try next.knownNames() == ["日本", "Anna"])
        expect(try launch().profiles.knownNames() == ["日本", "Anna"])
        expect(try FileSystem.status(list)?.permissions == 0o600)
    }

    @Test func settingsAreKeptToo() throws {
        let key = SettingKey("days", default: 21)
        try launch().localSettings.set(3, for: key)
        expect(try launch().localSettings.value(of: key) == 3)
    }

    @Test func aHostThatKeepsNothingWritesNothing() throws {
        let context = ApplicationContext(root: folder.path)
        try context.profiles.create(named: "anna")
        try context.localSettings.set(3, for: SettingKey("days", default: 21))
        expect(try context.profiles.knownNames() == ["anna"])
        expect(try FileSystem.contents(of: folder.path) == [])
        expect(try ApplicationContext(root: folder.path).profiles.knownNames() == [])
    }

    @Test func aKnownNameIsTakenInAnyOtherSpelling() throws {
        try launch().profiles.create(named: "Anna")
        let next = try launch().profiles
        expect(message { try next.create(named: "ANNA") }.contains("there is a profile 'Anna'"))
        expect(try next.create(named: "Anna").directory == root + "/Anna")
    }

    @Test func aNameIsSpelledAsItWasAtFirst() throws {
        try launch().profiles.create(named: "\u{E9}")
        let profile = try launch().profiles.create(named: "e\u{301}")
        expect(Array(profile.name.unicodeScalars), is: ["\u{E9}"])
    }

    @Test(arguments: [
        "{\"profiles\": [\"anna\"", "[]", "{\"version\": 2, \"profiles\": [\"anna\"]}",
        "{\"version\": 1, \"profiles\": [\"../anna\"]}", "{\"version\": 1}", "",
    ])
    func aListThatCannotBeUnderstoodIsLeftAsItIs(text: String) throws {
        let profiles = try launch().profiles
        try FileSystem.replace(list, with: Array(text.utf8))
        expect(message { try profiles.knownNames() }.contains("cannot be read"))
        expect(message { try profiles.create(named: "bert") }.contains("cannot be read"))
        expect(message { try profiles.remove(named: "anna") }.contains("cannot be read"))
        expect(profiles.profiles.isEmpty)
        expect(try FileSystem.read(list) == Array(text.utf8))
        try FileSystem.remove(list)
        expect(try launch().profiles.knownNames() == [])
    }

    @Test func aNameThatCannotBeKeptMakesNoProfile() throws {
        let names = FailingStorage()
        let profiles = ProfileManager(root: "/profiles", names: names)
        let anna = try profiles.create(named: "anna")
        names.failsWriting = true
        expect(message { try profiles.create(named: "bert") }.contains("cannot be written"))
        expect(message { try profiles.remove(named: "anna") }.contains("cannot be written"))
        expect(profiles.profiles.map(\.name), is: ["anna"])
        expect(!anna.hasEnded)
        names.failsWriting = false
        names.failsReading = true
        expect(message { try profiles.create(named: "bert") }.contains("cannot be read"))
        names.failsReading = false
        expect(names.kept, is: ["profiles": .texts(["anna"])])
        try profiles.create(named: "bert")
        expect(names.kept, is: ["profiles": .texts(["anna", "bert"])])
    }

    @Test func aProfileWhoseServicesFailIsNotKnown() throws {
        let log = ServiceLog()
        let names = FailingStorage()
        let profiles = ProfileManager(
            root: "/profiles",
            services: try ServiceRegistry([
                log.declare(History.self, creation: .withProfile) { _ in throw Failure() }
            ]), names: names)
        expect(throws: ProfileError.self) { try profiles.create(named: "anna") }
        expect(names.kept, is: [:])
    }

    @Test(arguments: ["profiles.json", "Settings.JSON"])
    func noProfileIsNamedLikeAFileBesideIt(name: String) throws {
        let profiles = ProfileManager(root: "/profiles")
        expect(message { try profiles.create(named: name) }.contains("a file beside the profiles"))
    }
}
