import BrowserModel
import Expectations

struct IncognitoProfileTests {
    let manager: ProfileManager
    let profile: Profile

    init() throws {
        manager = ProfileManager(root: "/profiles")
        profile = try manager.create(named: "anna")
    }

    @Test func askingForItCreatesItOnceAndAskingWhetherItIsThereNever() throws {
        expect(profile.incognito == nil && profile.incognito == nil)
        let hidden = try profile.createIncognito()
        expect(try profile.createIncognito() === hidden)
        expect(hidden.isIncognito && !profile.isIncognito && profile.incognito != nil)
        expect(hidden.name, is: "anna")
        expect(hidden.localSettings === profile.localSettings)
        // Its own incognito partition is itself.
        expect(try hidden.createIncognito() === hidden)
        expect(hidden.incognito != nil)
        expect(hidden.original === profile && profile.original === profile)
    }

    @Test func itCanBeDestroyedAndIsAnotherObjectAfterwards() throws {
        let first = try profile.createIncognito()
        profile.destroyIncognito()
        profile.destroyIncognito()
        expect(profile.incognito == nil)
        expect(first.hasEnded && first.incognito == nil)
        expect(try profile.createIncognito() !== first)
        expect(!profile.hasEnded)
    }

    @Test func endingItIsDestroyingIt() throws {
        for destroy in [{ $0.end() }, { $0.destroyIncognito() }] as [(Profile) -> Void] {
            let hidden = try profile.createIncognito()
            destroy(hidden)
            expect(hidden.hasEnded && profile.incognito == nil && !profile.hasEnded)
        }
    }

    @Test func theEndOfAFormerPartitionDoesNotTouchThePresentOne() throws {
        let former = try profile.createIncognito()
        former.end()
        let present = try profile.createIncognito()
        former.end()
        former.destroyIncognito()
        expect(try profile.createIncognito() === present)
        expect(!present.hasEnded)
    }

    @Test func aPartitionThatOutlivesItsOriginalDoesNotCrash() throws {
        let hidden: Profile
        do {
            let manager = ProfileManager(root: "/profiles")
            hidden = try manager.create(named: "anna").createIncognito()
            manager.endAll()
        }
        expect(hidden.original == nil)
        expect(hidden.hasEnded)
        hidden.end()
        hidden.destroyIncognito()
        expect(message { try hidden.createIncognito() }.contains("profile 'anna' has ended"))
        expect(message { try hidden.service(History.self) }.contains("not declared"))
    }

    @Test func theOriginalOwnsIt() throws {
        weak let hidden = try profile.createIncognito()
        expect(hidden != nil)
        profile.destroyIncognito()
        expect(hidden == nil)
    }

    @Test func theOriginalIsNotHeldByIt() throws {
        weak var original: Profile?
        let hidden: Profile
        do {
            let manager = ProfileManager(root: "/profiles")
            let profile = try manager.create(named: "anna")
            original = profile
            hidden = try profile.createIncognito()
        }
        expect(original == nil)
        expect(hidden.original == nil)
    }

    @Test func noneIsCreatedByAnEndedProfile() throws {
        profile.end()
        expect(message { try profile.createIncognito() }.contains("profile 'anna' has ended"))
        expect(profile.incognito == nil)
    }
}
