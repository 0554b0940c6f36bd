import BrowserModel
import Expectations

struct ProfileServiceTests {
    let log = ServiceLog()

    @Test func servicesAreMadeAfterWhatTheyDependOnAndShutDownInReverse() throws {
        let manager = try log.manager([
            log.declare(Sessions.self, [Sync.self, History.self]),
            log.declare(Sync.self, [History.self]), log.declare(History.self),
            log.declare(Bookmarks.self),
        ])
        let profile = try manager.create(named: "anna")
        expect(log.take(), is: [])
        _ = try profile.service(Bookmarks.self)
        _ = try profile.service(Sessions.self)
        expect(log.take(), is: ["+Bookmarks", "+History", "+Sync", "+Sessions"])
        profile.end()
        expect(log.take(), is: ["-Sessions", "-Sync", "-History", "-Bookmarks"])
    }

    @Test func aServiceIsMadeOnceForEachProfile() throws {
        let manager = try log.manager([log.declare(History.self)])
        let anna = try manager.create(named: "anna")
        let history = try anna.service(History.self)
        expect(try anna.service(History.self) === history)
        expect(try manager.create(named: "bert").service(History.self) !== history)
        expect(log.events, is: ["+History", "+History"])
    }

    @Test func aServiceMayBeMadeWithItsProfile() throws {
        let manager = try log.manager([
            log.declare(Sync.self, [History.self], creation: .withProfile),
            log.declare(History.self), log.declare(Bookmarks.self),
        ])
        let profile = try manager.create(named: "anna")
        expect(log.take(), is: ["+History", "+Sync"])
        try profile.createIncognito()
        expect(log.take(), is: ["+History*", "+Sync*"])
    }

    @Test func aPartitionIsMadeWithServicesOfItsOwnOnly() throws {
        let manager = try log.manager([
            log.declare(Bookmarks.self, incognito: .shared, creation: .withProfile),
            log.declare(History.self, incognito: .none, creation: .withProfile),
            log.declare(Sessions.self, incognito: .own, creation: .withProfile),
        ])
        let profile = try manager.create(named: "anna")
        expect(log.take(), is: ["+Bookmarks", "+History", "+Sessions"])
        try profile.createIncognito()
        expect(log.take(), is: ["+Sessions*"])
    }

    @Test func askingIfMadeNeverMakes() throws {
        let profile = try log.manager([log.declare(History.self)]).create(named: "anna")
        expect(profile.serviceIfMade(History.self) == nil)
        expect(log.events, is: [])
    }

    @Test func anUndeclaredServiceIsRefusedByName() throws {
        let manager = try log.manager([log.declare(Sync.self)])
        let profile = try manager.create(named: "anna")
        expect(
            message { try profile.service(History.self) },
            is: "service History is not declared; add its declaration to the ServiceRegistry")
        expect(profile.serviceIfMade(History.self) == nil)
    }

    @Test func incognitoGetsItsOwnTheSharedOrNone() throws {
        let manager = try log.manager([
            log.declare(History.self, incognito: .none),
            log.declare(Bookmarks.self, incognito: .shared),
            log.declare(Sessions.self, [Bookmarks.self, History.self], incognito: .own),
        ])
        let profile = try manager.create(named: "anna")
        let hidden = try profile.createIncognito()
        let own = try hidden.service(Sessions.self)
        expect(log.take(), is: ["+Bookmarks", "+Sessions*"])
        expect(try own !== profile.service(Sessions.self))
        expect(try hidden.service(Bookmarks.self) === profile.service(Bookmarks.self))
        expect(
            message { try hidden.service(History.self) }
                .contains("there is no History in incognito"))
        profile.destroyIncognito()
        expect(log.take(), is: ["+History", "+Sessions", "-Sessions*"])
        profile.end()
        expect(log.take(), is: ["-Sessions", "-History", "-Bookmarks"])
    }

    @Test func servicesIncognitoEndBeforeThoseOfTheOriginal() throws {
        let manager = try log.manager([
            log.declare(Bookmarks.self, incognito: .shared),
            log.declare(Sessions.self, [Bookmarks.self]),
        ])
        let profile = try manager.create(named: "anna")
        _ = try profile.createIncognito().service(Sessions.self)
        _ = try profile.service(Sessions.self)
        _ = log.take()
        profile.end()
        expect(log.events, is: ["-Sessions*", "-Sessions", "-Bookmarks"])
    }

    @Test func noServiceIsGivenWhileTheProfileShutsDownOrAfter() throws {
        let manager = try log.manager([
            log.declare(Sync.self, [History.self]), log.declare(History.self),
        ])
        let profile = try manager.create(named: "anna")
        var refusals: [String] = []
        let refused = { refusals.append(message { try profile.service(History.self) }) }
        try profile.service(Sync.self).atShutDown = refused
        profile.end()
        refused()
        expect(refusals.count, is: 2)
        expect(
            refusals.allSatisfy {
                $0.contains("History was asked for when profile 'anna' was shutting down")
            })
        expect(profile.serviceIfMade(History.self) == nil)
        expect(log.events, is: ["+History", "+Sync", "-Sync", "-History"])
    }

    @Test func aShutDownServiceIsReleasedBeforeWhatItDependsOn() throws {
        let manager = try log.manager([
            log.declare(Sync.self, [History.self]), log.declare(History.self),
        ])
        let profile = try manager.create(named: "anna")
        weak let sync = try profile.service(Sync.self)
        var wasThere = true
        try profile.service(History.self).atShutDown = { wasThere = sync != nil }
        profile.end()
        expect(!wasThere)
    }
}
