import BrowserModel
import Expectations

private final class Recorder: ProfileObserver {
    var events: [String] = []
    var react: (String) -> Void = { _ in }

    private func note(_ event: String, _ profile: Profile) {
        events.append(event + (profile.isIncognito ? "*" : ""))
        react(event)
    }

    func profile(_ profile: Profile, didCreateIncognito incognito: Profile) {
        note("created", profile)
    }

    func profile(_ profile: Profile, willDestroyIncognito incognito: Profile) {
        note("destroying", profile)
    }

    func profileDidDestroyIncognito(_ profile: Profile) { note("destroyed", profile) }
    func profileWillEnd(_ profile: Profile) { note("ending", profile) }
    func profileDidEnd(_ profile: Profile) { note("ended", profile) }
}

struct ProfileObserverTests {
    private let recorder = Recorder()
    let manager: ProfileManager
    let log = ServiceLog()
    let profile: Profile

    init() throws {
        manager = try log.manager([
            log.declare(Bookmarks.self, incognito: .shared),
            log.declare(Sessions.self, [Bookmarks.self]),
        ])
        profile = try manager.create(named: "anna")
        profile.addObserver(recorder)
    }

    @Test func observersHearOfThePartitionAndOfTheEnd() throws {
        try profile.createIncognito().addObserver(recorder)
        profile.end()
        profile.end()
        expect(
            recorder.events,
            is: [
                "created", "ending", "destroying", "ending*", "ended*", "destroyed", "ended",
            ])
    }

    @Test func anObserverIsAddedOnceAndHeldWeakly() throws {
        profile.addObserver(recorder)
        do { profile.addObserver(Recorder()) }
        try profile.createIncognito()
        expect(recorder.events, is: ["created"])
        profile.removeObserver(recorder)
        profile.destroyIncognito()
        expect(recorder.events, is: ["created"])
    }

    @Test func anObserverRemovedDuringACallIsNotCalled() throws {
        let second = Recorder()
        let third = Recorder()
        profile.addObserver(second)
        recorder.react = { [profile] _ in
            profile.removeObserver(second)
            profile.addObserver(third)
        }
        try profile.createIncognito()
        expect(second.events, is: [])
        expect(third.events, is: [])
        profile.destroyIncognito()
        expect(third.events, is: ["destroying", "destroyed"])
    }

    @Test func allStillWorksWhenTheEndIsAnnounced() throws {
        let hidden = try profile.createIncognito()
        var worked: [String] = []
        recorder.react = { [profile] event in
            guard event == "ending" || event == "destroying" else { return }
            if (try? profile.service(Sessions.self)) != nil { worked.append("regular") }
            if (try? hidden.service(Sessions.self)) != nil { worked.append("in incognito") }
        }
        profile.end()
        expect(worked, is: ["regular", "in incognito", "regular", "in incognito"])
    }

    @Test func noPartitionIsCreatedOnceTheEndIsAnnounced() throws {
        var text = ""
        recorder.react = { [profile] event in
            if event == "ending" { text = message { try profile.createIncognito() } }
        }
        profile.end()
        expect(text.contains("has ended"))
        expect(recorder.events, is: ["ending", "ended"])
    }

    @Test func aPartitionIsNotCreatedWhileTheFormerOneIsDestroyed() throws {
        var text = ""
        try profile.createIncognito().service(Sessions.self).atShutDown = { [profile] in
            profile.destroyIncognito()
            text = message { try profile.createIncognito() }
        }
        profile.destroyIncognito()
        expect(text.contains("is being created or destroyed; ask again"))
        expect(recorder.events, is: ["created", "destroying", "destroyed"])
    }

    @Test func aPartitionMayBeCreatedAgainWhenTheFormerOneWasDestroyed() throws {
        try profile.createIncognito()
        recorder.react = { [profile] event in
            if event == "destroyed", profile.incognito == nil {
                _ = try? profile.createIncognito()
            }
        }
        profile.destroyIncognito()
        expect(recorder.events, is: ["created", "destroying", "destroyed", "created"])
        expect(profile.incognito != nil)
    }

    @Test func aProfileEndedWhileItsPartitionIsDestroyedEndsAfterIt() throws {
        _ = try profile.createIncognito().service(Sessions.self)
        _ = log.take()
        recorder.react = { [profile] event in
            if event == "destroying" { profile.end() }
        }
        profile.destroyIncognito()
        expect(profile.hasEnded)
        expect(recorder.events, is: ["created", "destroying", "destroyed", "ending", "ended"])
        expect(log.events, is: ["-Sessions*", "-Bookmarks"])
    }

    @Test func theNameIsFreeWhenTheProfileHasEnded() throws {
        var next: Profile?
        recorder.react = { [manager] event in
            if event == "ended" { next = try? manager.create(named: "anna") }
        }
        profile.end()
        expect(next?.hasEnded, is: false)
    }
}
