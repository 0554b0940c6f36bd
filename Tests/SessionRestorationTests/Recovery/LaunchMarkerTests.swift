import BrowserSessions
import Expectations

@testable import SessionRestoration

struct LaunchMarkerTests {
    private let marker = LaunchMarker(
        environment: LaunchEnvironment(bootID: "boot", processID: 7), phase: .running,
        launchedAt: Timestamp(microseconds: 5), aliveAt: Timestamp(microseconds: 9),
        crashes: [Timestamp(microseconds: 3), Timestamp(microseconds: 4)],
        loading: [.random(), .random()], suspects: [.random()])

    @Test func aNoteIsReadAsItWasWritten() {
        expect(LaunchMarker(marker.attributes), is: marker)
        let plain = LaunchMarker(
            environment: marker.environment, phase: .starting, launchedAt: .unknown,
            aliveAt: .unknown)
        expect(LaunchMarker(plain.attributes), is: plain)
    }

    @Test func aNoteWithAMissingPartIsNotRead() {
        // Without its ages a note is read, and a new count begins.
        for name in marker.attributes.properties.keys where !name.hasSuffix("age") {
            var damaged = marker.attributes
            damaged.properties[name] = nil
            expect(LaunchMarker(damaged) == nil, "without \(name)")
        }
    }

    @Test(arguments: [
        ("version", "2"), ("phase", "dancing"), ("launched", "soon"), ("crashes", "1,x"),
        ("loading", "nothing"), ("process", ""),
    ]) func aNoteThatIsNotOurFormIsNotRead(name: String, text: String) {
        var damaged = marker.attributes
        damaged.properties[name] = text
        expect(LaunchMarker(damaged) == nil)
    }

    @Test func aNoteNamesAFewTabsOnly() throws {
        var large = marker
        large.loading = (0..<1_000).map { _ in TabID.random() }
        let read = try require(LaunchMarker(large.attributes))
        expect(read.loading, is: large.loading.suffix(LaunchMarker.maximumTabs))
    }

    @Test func theSystemTellsItsStartAndTheProcess() {
        let environment = LaunchEnvironment.current()
        expect(!environment.bootID.isEmpty && environment.processID > 0)
        expect(environment, is: LaunchEnvironment.current())
    }
}
