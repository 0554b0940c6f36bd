import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import StorageBenchmark

/// What the disk can do to a run, with the built program and real file systems.
@Suite("Full and read-only disks")
struct DiskTests {
    /// Runs the program on a folder, its report going to a file elsewhere.
    private func run(
        in folder: String, _ arguments: [String]
    ) throws -> (status: Int32?, messages: String, report: BenchReport) {
        let place = TemporaryFolder()
        let file = "\(place.path)/report.json"
        let tool = try Tool(arguments + ["--folder", folder, "--output", file])
        let messages = tool.end()
        return (tool.status, messages, try BenchReport(file: file))
    }

    #if os(Linux)
        @Test(.enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs more rights"))
        func aFullDiskKeepsWhatWasMeasured() throws {
            let disk = try SmallDisk(kibibytes: 1024)
            // The small window fits, the large one does not; the small one has to come first.
            var plan = BenchPlan(
                contestants: try Contestants.test().all.filter { $0.role == .backend },
                folder: disk.path)
            (plan.tabs, plan.workloads) = ([10, 10_000], .named("restore"))
            let seed = try require(
                (1...50).first { seed in
                    plan.seed = UInt64(seed)
                    return plan.orders().first?.tabs == 10
                })
            let arguments = [
                "--backends", "directory", "--workloads", "restore", "--tabs", "10,10000",
                "--seed", "\(seed)",
            ]
            let (status, messages, report) = try run(in: disk.path, arguments)
            expect(status, is: 2)
            expect(messages.contains("storagebench: incomplete: directory, 10000 tabs"))
            expect(messages.contains("No space left on device"))
            let reason = try require(report.incompleteBecause)
            expect(reason.contains("No space left on device"))
            let small = try require(report.results.first { $0.tabs == 10 })
            expect(small.verified && small.samples > 0, "what was measured is kept")
            expect(!report.results.contains { $0.tabs == 10_000 && $0.verified })
            expect(try report.formatted(.text).hasPrefix("INCOMPLETE: "))
            expect(try FileSystem.contents(of: disk.path).isEmpty)
        }

        @Test(.enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs more rights"))
        func aDiskThatCannotBeWrittenIsNamed() throws {
            let disk = try SmallDisk(kibibytes: 1024)
            try disk.setReadOnly(true)
            try expectRefusal(in: disk.path, "Read-only file system")
        }

        /// A full device takes no byte, so the report must be somewhere else.
        @Test func aReportThatCannotBeWrittenIsPrinted() throws {
            let place = TemporaryFolder()
            let printed = "\(place.path)/printed"
            let tool = try Tool(
                [
                    "--backends", "dry", "--workloads", "restore", "--tabs", "10",
                    "--samples", "3", "--folder", place.path, "--format", "json",
                    "--output", "/dev/full",
                ], output: printed)
            let messages = tool.end()
            expect(tool.status, is: 2)
            expect(messages.contains("storagebench: cannot write '/dev/full': "))
            expect(messages.contains("the report is printed instead"))
            expect(try BenchReport(file: printed).results.count == 1)
        }
    #endif

    @Test(.enabled(if: geteuid() != 0, "no folder is closed to root"))
    func aFolderWithoutRightsIsNamed() throws {
        let place = TemporaryFolder()
        chmod(place.path, 0o500)
        defer { chmod(place.path, 0o700) }
        try expectRefusal(in: place.path, "Permission denied")
    }

    private func expectRefusal(in folder: String, _ words: String) throws {
        let (status, messages, report) = try run(
            in: folder, ["--backends", "directory", "--workloads", "restore", "--tabs", "10"])
        expect(status, is: 2)
        expect(messages.contains("storagebench: incomplete: "))
        expect(messages.contains(folder) && messages.contains(words))
        expect(report.incompleteBecause?.contains(words), is: true)
        expect(report.results.isEmpty)
    }

    // MARK: - Files of reports

    @Test func newFilesHaveTheRightsOfTheUsersFiles() throws {
        let place = TemporaryFolder()
        let (file, other) = ("\(place.path)/report", "\(place.path)/other")
        close(open(other, O_CREAT | O_WRONLY, 0o666))
        try CommandFile.write([1, 2], file)
        let usual = try require(try FileSystem.status(other)).permissions
        expect(try FileSystem.status(file)?.permissions == usual)
        chmod(file, 0o640)
        try CommandFile.write([3], file)
        expect(try FileSystem.status(file)?.permissions == 0o640)
        expect(try FileSystem.read(file) == [3])
        expect(place.contents, is: ["other", "report"])
    }

    @Test func whatIsLeftOfAKilledProcessIsInNobodysWay() throws {
        let place = TemporaryFolder()
        let left = "\(place.path)/report.new-\(getpid())"
        try FileManager.default.createSymbolicLink(
            atPath: left, withDestinationPath: "\(place.path)/elsewhere")
        try CommandFile.write([1], "\(place.path)/report")
        expect(place.contents, is: ["report"])
    }

    @Test func aFileThatIsThereStaysUntilTheNewOneIsWhole() throws {
        let place = TemporaryFolder()
        // Its temporary neighbour has a name that is too long.
        let file = "\(place.path)/" + String(repeating: "x", count: 250)
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        let error = expect(throws: CommandError.self) { try CommandFile.write([1], file) }
        expect(error?.message.hasPrefix("cannot write '\(file)': "), is: true)
        expect(try FileSystem.read(file).isEmpty)
        expect(place.contents.count, is: 1)
    }
}
