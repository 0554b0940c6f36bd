import BrowserModel
import BrowserSessions
import Expectations

struct WindowTests {
    private final class Recorder: WindowObserver {
        var events: [WindowEvent] = []
        func window(_ window: Window, did event: WindowEvent) { events.append(event) }
    }

    private let recorder = Recorder()

    private func makeWindow() throws -> Window {
        let window = try WindowList(now: { Timestamp(microseconds: 5) }).open()
        window.addObserver(recorder)
        return window
    }

    @Test func foregroundAndBackgroundAreToldOnce() throws {
        let window = try makeWindow()
        expect(!window.isInForeground)
        window.enterForeground(at: Timestamp(microseconds: 9))
        window.enterForeground(at: Timestamp(microseconds: 10))
        expect(window.isInForeground)
        expect(window.attributes.lastActiveAt, is: Timestamp(microseconds: 9))
        window.enterBackground()
        window.enterBackground()
        expect(recorder.events, is: [.attributesChanged, .enteredForeground, .enteredBackground])
    }

    /// What changed in it is saved at once, also if it was never in front.
    @Test func aWindowThatWasNeverInTheForegroundTellsThatItIsInTheBackground() throws {
        let window = try makeWindow()
        window.enterBackground()
        window.enterBackground()
        expect(recorder.events, is: [.enteredBackground])
    }

    @Test func attributesAreToldOnlyIfTheyChange() throws {
        let window = try makeWindow()
        expect(window.title, is: "")
        window.title = "work"
        window.title = "work"
        window.setProperty("frame", to: "0 0 800 600")
        window.setProperty("frame", to: nil)
        window.setProperty("frame", to: nil)
        expect(window.attributes.title, is: "work")
        expect(recorder.events, is: Array(repeating: .attributesChanged, count: 3))
    }

    @Test func restoredAttributesAreNotTold() throws {
        let window = try makeWindow()
        window.restore(SessionAttributes(title: "home", properties: ["frame": "1"]))
        expect(window.title, is: "home")
        expect(window.attributes.properties, is: ["frame": "1"])
        expect(recorder.events.isEmpty)
    }

    @Test func observerThatWasRemovedIsNotTold() throws {
        let window = try makeWindow()
        window.removeObserver(recorder)
        window.title = "work"
        expect(recorder.events.isEmpty)
    }
}
