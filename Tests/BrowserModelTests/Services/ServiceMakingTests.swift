import BrowserModel
import Expectations

struct ServiceMakingTests {
    let log = ServiceLog()

    @Test func aMakerMayOnlyAskForWhatItDeclared() throws {
        let manager = try log.manager([
            log.declare(Sync.self) { _ = try $0.service(History.self) },
            log.declare(History.self),
            log.declare(Bookmarks.self, [History.self]) { _ = try $0.service(History.self) },
        ])
        let profile = try manager.create(named: "anna")
        let text = message { try profile.service(Sync.self) }
        expect(text.contains("Sync asked for History while it was being made"))
        expect(text.contains("add History to the dependencies of Sync"))
        expect(log.events, is: [])
        _ = try profile.service(Bookmarks.self)
        expect(log.events, is: ["+History", "+Bookmarks"])
    }

    @Test func anIndirectDependencyMustBeDeclaredToBeUsed() throws {
        let manager = try log.manager([
            log.declare(Sync.self, [Bookmarks.self]) { _ = try $0.service(History.self) },
            log.declare(Bookmarks.self, [History.self]), log.declare(History.self),
        ])
        let profile = try manager.create(named: "anna")
        expect(message { try profile.service(Sync.self) }.contains("Sync asked for History"))
    }

    @Test func theRuleHoldsAcrossTheTwoPartitions() throws {
        let manager = try log.manager([
            log.declare(Sync.self) { _ = try $0.original?.service(History.self) },
            log.declare(History.self),
        ])
        let hidden = try manager.create(named: "anna").createIncognito()
        expect(message { try hidden.service(Sync.self) }.contains("Sync asked for History"))
    }

    @Test func aServiceIncognitoMayUseTheSameOfTheOriginal() throws {
        let manager = try log.manager([
            log.declare(Sync.self) { profile in
                if profile.isIncognito { _ = try profile.original?.service(Sync.self) }
            }
        ])
        let profile = try manager.create(named: "anna")
        _ = try profile.createIncognito().service(Sync.self)
        profile.end()
        expect(log.events, is: ["+Sync", "+Sync*", "-Sync*", "-Sync"])
    }

    @Test func aServiceIsNotGivenToItsOwnMaker() throws {
        let manager = try log.manager([
            log.declare(Sync.self) { _ = try $0.service(Sync.self) }
        ])
        let profile = try manager.create(named: "anna")
        expect(
            message { try profile.service(Sync.self) }
                .contains("Sync was asked for while it was being made"))
    }

    @Test func aMakerThatThrowsLeavesNothingAndTheNextRequestTriesAgain() throws {
        var isAway = true
        let manager = try log.manager([
            log.declare(Sync.self, [History.self, Bookmarks.self]), log.declare(History.self),
            log.declare(Bookmarks.self) { _ in if isAway { throw Failure() } },
        ])
        let profile = try manager.create(named: "anna")
        expect(
            message { try profile.service(Sync.self) },
            is: "Bookmarks could not be made: the disk is away; remove the cause and ask again")
        expect(profile.serviceIfMade(Sync.self) == nil)
        expect(profile.serviceIfMade(Bookmarks.self) == nil)
        expect(log.take(), is: ["+History"])
        isAway = false
        _ = try profile.service(Sync.self)
        expect(log.take(), is: ["+Bookmarks", "+Sync"])
        profile.end()
        expect(log.take(), is: ["-Sync", "-Bookmarks", "-History"])
    }

    @Test func aProfileWhoseServiceCannotBeMadeDoesNotExist() throws {
        var isAway = true
        let manager = try log.manager([
            log.declare(History.self, creation: .withProfile),
            log.declare(Sync.self, creation: .withProfile) { _ in if isAway { throw Failure() } },
        ])
        expect(
            message { try manager.create(named: "anna") }
                .contains("profile 'anna' was not created: Sync could not be made"))
        expect(manager.profiles.isEmpty)
        expect(log.take(), is: ["+History", "-History"])
        isAway = false
        try manager.create(named: "anna")
        expect(log.take(), is: ["+History", "+Sync"])
    }

    @Test func aPartitionWhoseServiceCannotBeMadeDoesNotExist() throws {
        var isAway = true
        let manager = try log.manager([
            log.declare(History.self, creation: .withProfile),
            log.declare(Sync.self, creation: .withProfile) { profile in
                if isAway, profile.isIncognito { throw Failure() }
            },
        ])
        let profile = try manager.create(named: "anna")
        _ = log.take()
        expect(message { try profile.createIncognito() }.contains("Sync could not be made"))
        expect(profile.incognito == nil)
        expect(log.take(), is: ["+History*", "-History*"])
        isAway = false
        try profile.createIncognito()
        expect(log.take(), is: ["+History*", "+Sync*"])
    }

    @Test func aProfileEndsAfterTheMakingDuringWhichItWasEnded() throws {
        let manager = try log.manager([
            log.declare(Sync.self, [History.self]) { $0.end() }, log.declare(History.self),
        ])
        let profile = try manager.create(named: "anna")
        expect(message { try profile.service(Sync.self) }.contains("profile 'anna' was shutting"))
        expect(profile.hasEnded)
        expect(log.events, is: ["+History", "+Sync", "-Sync", "-History"])
    }

    @Test func aProfileThatAServiceEndsAtItsCreationDoesNotExist() throws {
        let manager = try log.manager([
            log.declare(Sync.self, creation: .withProfile) { $0.end() }
        ])
        expect(message { try manager.create(named: "anna") }.contains("profile 'anna' has ended"))
        expect(manager.profiles.isEmpty)
        expect(log.events, is: ["+Sync", "-Sync"])
    }

    @Test func aPartitionThatWasEndedBeforeItsMakingFailedCanBeCreatedAgain() throws {
        var isAway = true
        let manager = try log.manager([
            log.declare(Sync.self, creation: .withProfile) { profile in
                guard profile.isIncognito, isAway else { return }
                profile.end()
                throw Failure()
            }
        ])
        let profile = try manager.create(named: "anna")
        expect(message { try profile.createIncognito() }.contains("Sync could not be made"))
        isAway = false
        expect(try !profile.createIncognito().hasEnded)
        expect(profile.incognito != nil)
    }

    @Test func aPartitionEndsAfterTheMakingDuringWhichItWasEnded() throws {
        for creation in ServiceCreation.allCases {
            let manager = try log.manager([
                log.declare(Sync.self, [History.self], creation: creation) { profile in
                    if profile.isIncognito { profile.end() }
                },
                log.declare(History.self),
            ])
            let profile = try manager.create(named: "anna")
            _ = log.take()
            expect(throws: (any Error).self) { try profile.createIncognito().service(Sync.self) }
            expect(profile.incognito == nil && !profile.hasEnded)
            expect(log.take(), is: ["+History*", "+Sync*", "-Sync*", "-History*"])
        }
    }

    @Test func aMakerCannotAskForThePartitionThatIsBeingCreated() throws {
        let manager = try log.manager([
            log.declare(Sync.self, creation: .withProfile) { profile in
                if profile.isIncognito { try profile.original?.createIncognito() }
            }
        ])
        let profile = try manager.create(named: "anna")
        expect(
            message { try profile.createIncognito() }
                .contains(
                    "incognito partition of profile 'anna' is being created or destroyed"))
        expect(profile.incognito == nil)
    }
}
