import BrowserModel
import Expectations

struct ProfileManagerTests {
    let manager = ProfileManager(root: "/home/user/profiles/")

    @Test func aProfileHasADirectoryOfItsOwn() throws {
        let profile = try manager.create(named: "Anna")
        expect(profile.name, is: "Anna")
        expect(profile.directory, is: "/home/user/profiles/Anna")
        expect(try profile.createIncognito().directory == "/home/user/profiles/Anna/OTR")
        expect(try ProfileManager(root: "/").create(named: "Anna").directory == "/Anna")
    }

    @Test func profilesAreListedInTheOrderOfCreation() throws {
        for name in ["b", "a", "c"] { try manager.create(named: name) }
        expect(manager.profiles.map(\.name), is: ["b", "a", "c"])
        expect(manager["a"] === manager.profiles[1])
        expect(manager["A"] == nil)
    }

    @Test func anUnknownProfileIsRefusedWithThoseThereAre() throws {
        try manager.create(named: "anna")
        try manager.create(named: "bert")
        let expected = "there is no profile 'carl'; there is: anna, bert"
        expect(message { try manager.remove(named: "carl") }, is: expected)
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "a\\b", "a:b", "a\0b", "a\nb", " a", "a ", "a.", "\u{7F}",
        String(repeating: "a", count: 65), String(repeating: "👨‍👩‍👧‍👦", count: 11),
    ])
    func aNameThatIsNoPathComponentIsRefused(name: String) {
        expect(
            message { try manager.create(named: name) }
                .contains("'\(name)' cannot be the name of a profile: "))
        expect(manager.profiles.isEmpty)
    }

    @Test(arguments: [
        "a", "Profile 1", "日本", "a.b", "-", ".hidden", String(repeating: "ä", count: 64),
    ])
    func aNameOfOneTo64CharactersIsTaken(name: String) throws {
        expect(try manager.create(named: name).name == name)
    }

    @Test(arguments: [
        ("anna", "anna", "there is a profile 'anna'; use it"),
        ("anna", "ANNA", "there is a profile 'anna', which differs from 'ANNA' only in case"),
        ("Straße", "STRASSE", "only in case"), ("\u{E9}", "e\u{301}", "there is a profile"),
    ])
    func twoNamesDifferInMoreThanCase(first: String, second: String, expected: String) throws {
        try manager.create(named: first)
        expect(message { try manager.create(named: second) }.contains(expected))
        expect(manager.profiles.count, is: 1)
    }

    @Test func aRemovedProfileHasEndedAndItsNameIsFree() throws {
        let profile = try manager.create(named: "anna")
        try manager.remove(named: "anna")
        expect(profile.hasEnded)
        expect(manager["anna"] == nil)
        expect(try manager.create(named: "anna") !== profile)
    }

    @Test func allProfilesEndInReverseOrderOfCreation() throws {
        let log = ServiceLog()
        let manager = try log.manager([log.declare(History.self)])
        for name in ["a", "b"] {
            let history = try manager.create(named: name).service(History.self)
            history.atShutDown = { log.events.append(name) }
        }
        _ = log.take()
        manager.endAll()
        expect(log.take(), is: ["-History", "b", "-History", "a"])
        expect(manager.profiles.isEmpty)
        try manager.create(named: "a")
    }

    @Test func aManagerThatIsLetGoOfEndsItsProfiles() throws {
        let profile: Profile
        do { profile = try ProfileManager(root: "/profiles").create(named: "anna") }
        expect(profile.hasEnded)
    }

    @Test func aNameIsTakenWhileItsServicesAreMade() throws {
        let log = ServiceLog()
        var text = ""
        weak var weakManager: ProfileManager?
        let manager = try log.manager([
            log.declare(History.self, creation: .withProfile) { _ in
                text = message { try weakManager?.create(named: "ANNA") }
            }
        ])
        weakManager = manager
        try manager.create(named: "anna")
        expect(text.contains("there is a profile 'anna'"))
        expect(manager.profiles.count, is: 1)
    }
}
