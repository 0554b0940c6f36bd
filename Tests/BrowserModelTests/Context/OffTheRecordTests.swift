import BrowserModel
import Testing

@Suite struct OffTheRecordTests {
    let manager: ProfileManager
    let profile: Profile

    init() throws {
        manager = ProfileManager(root: "/profiles")
        profile = try manager.create("anna")
    }

    @Test func askingWhetherThereIsOneNeverCreatesIt() throws {
        #expect(!profile.hasOffTheRecord)
        #expect(!profile.hasOffTheRecord)
        _ = try profile.offTheRecord
        #expect(profile.hasOffTheRecord)
    }

    @Test func askingForItCreatesItOnce() throws {
        let hidden = try profile.offTheRecord
        #expect(try profile.offTheRecord === hidden)
        #expect(hidden.isOffTheRecord && !profile.isOffTheRecord)
        #expect(hidden.name == "anna")
        #expect(hidden.localSettings === profile.localSettings)
    }

    @Test func offTheRecordOfOffTheRecordIsItself() throws {
        let hidden = try profile.offTheRecord
        #expect(try hidden.offTheRecord === hidden)
        #expect(hidden.hasOffTheRecord)
        #expect(hidden.original === profile)
        #expect(profile.original === profile)
    }

    @Test func itCanBeDestroyedAndIsAnotherObjectAfterwards() throws {
        let first = try profile.offTheRecord
        profile.destroyOffTheRecord()
        profile.destroyOffTheRecord()
        #expect(!profile.hasOffTheRecord)
        #expect(first.hasEnded && !first.hasOffTheRecord)
        #expect(try profile.offTheRecord !== first)
        #expect(!profile.hasEnded)
    }

    @Test func endingItIsDestroyingIt() throws {
        for destroy in [{ $0.end() }, { $0.destroyOffTheRecord() }] as [(Profile) -> Void] {
            let hidden = try profile.offTheRecord
            destroy(hidden)
            #expect(hidden.hasEnded && !profile.hasOffTheRecord && !profile.hasEnded)
        }
    }

    @Test func theEndOfAFormerPartitionDoesNotTouchThePresentOne() throws {
        let former = try profile.offTheRecord
        former.end()
        let present = try profile.offTheRecord
        former.end()
        former.destroyOffTheRecord()
        #expect(try profile.offTheRecord === present)
        #expect(!present.hasEnded)
    }

    @Test func aPartitionThatOutlivesItsOriginalDoesNotCrash() throws {
        let hidden: Profile
        do {
            let manager = ProfileManager(root: "/profiles")
            hidden = try manager.create("anna").offTheRecord
            manager.endAll()
        }
        #expect(hidden.original == nil)
        #expect(hidden.hasEnded)
        hidden.end()
        hidden.destroyOffTheRecord()
        #expect(message { try hidden.offTheRecord }.contains("profile 'anna' has ended"))
        #expect(message { try hidden.service(History.self) }.contains("not declared"))
    }

    @Test func theOriginalOwnsIt() throws {
        weak let hidden = try profile.offTheRecord
        #expect(hidden != nil)
        profile.destroyOffTheRecord()
        #expect(hidden == nil)
    }

    @Test func theOriginalIsNotHeldByIt() throws {
        weak var original: Profile?
        let hidden: Profile
        do {
            let manager = ProfileManager(root: "/profiles")
            let profile = try manager.create("anna")
            original = profile
            hidden = try profile.offTheRecord
        }
        #expect(original == nil)
        #expect(hidden.original == nil)
    }

    @Test func noneIsCreatedByAnEndedProfile() throws {
        profile.end()
        #expect(message { try profile.offTheRecord }.contains("profile 'anna' has ended"))
        #expect(!profile.hasOffTheRecord)
    }
}
