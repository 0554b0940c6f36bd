import BrowserModel
import Expectations

struct OffTheRecordTests {
    let manager: ProfileManager
    let profile: Profile

    init() throws {
        manager = ProfileManager(root: "/profiles")
        profile = try manager.create(named: "anna")
    }

    @Test func askingWhetherThereIsOneNeverCreatesIt() throws {
        expect(profile.offTheRecord == nil)
        expect(profile.offTheRecord == nil)
        try profile.createOffTheRecord()
        expect(profile.offTheRecord != nil)
    }

    @Test func askingForItCreatesItOnce() throws {
        let hidden = try profile.createOffTheRecord()
        expect(try profile.createOffTheRecord() === hidden)
        expect(hidden.isOffTheRecord && !profile.isOffTheRecord)
        expect(hidden.name, is: "anna")
        expect(hidden.localSettings === profile.localSettings)
    }

    @Test func offTheRecordOfOffTheRecordIsItself() throws {
        let hidden = try profile.createOffTheRecord()
        expect(try hidden.createOffTheRecord() === hidden)
        expect(hidden.offTheRecord != nil)
        expect(hidden.original === profile)
        expect(profile.original === profile)
    }

    @Test func itCanBeDestroyedAndIsAnotherObjectAfterwards() throws {
        let first = try profile.createOffTheRecord()
        profile.destroyOffTheRecord()
        profile.destroyOffTheRecord()
        expect(profile.offTheRecord == nil)
        expect(first.hasEnded && first.offTheRecord == nil)
        expect(try profile.createOffTheRecord() !== first)
        expect(!profile.hasEnded)
    }

    @Test func endingItIsDestroyingIt() throws {
        for destroy in [{ $0.end() }, { $0.destroyOffTheRecord() }] as [(Profile) -> Void] {
            let hidden = try profile.createOffTheRecord()
            destroy(hidden)
            expect(hidden.hasEnded && profile.offTheRecord == nil && !profile.hasEnded)
        }
    }

    @Test func theEndOfAFormerPartitionDoesNotTouchThePresentOne() throws {
        let former = try profile.createOffTheRecord()
        former.end()
        let present = try profile.createOffTheRecord()
        former.end()
        former.destroyOffTheRecord()
        expect(try profile.createOffTheRecord() === present)
        expect(!present.hasEnded)
    }

    @Test func aPartitionThatOutlivesItsOriginalDoesNotCrash() throws {
        let hidden: Profile
        do {
            let manager = ProfileManager(root: "/profiles")
            hidden = try manager.create(named: "anna").createOffTheRecord()
            manager.endAll()
        }
        expect(hidden.original == nil)
        expect(hidden.hasEnded)
        hidden.end()
        hidden.destroyOffTheRecord()
        expect(message { try hidden.createOffTheRecord() }.contains("profile 'anna' has ended"))
        expect(message { try hidden.service(History.self) }.contains("not declared"))
    }

    @Test func theOriginalOwnsIt() throws {
        weak let hidden = try profile.createOffTheRecord()
        expect(hidden != nil)
        profile.destroyOffTheRecord()
        expect(hidden == nil)
    }

    @Test func theOriginalIsNotHeldByIt() throws {
        weak var original: Profile?
        let hidden: Profile
        do {
            let manager = ProfileManager(root: "/profiles")
            let profile = try manager.create(named: "anna")
            original = profile
            hidden = try profile.createOffTheRecord()
        }
        expect(original == nil)
        expect(hidden.original == nil)
    }

    @Test func noneIsCreatedByAnEndedProfile() throws {
        profile.end()
        expect(message { try profile.createOffTheRecord() }.contains("profile 'anna' has ended"))
        expect(profile.offTheRecord == nil)
    }
}
