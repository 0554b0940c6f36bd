import BrowserSessions
import ChildProcesses
import Expectations
import Foundation
import StorageConformance
import TestSupport

@Suite("Programs that tests run")
struct RunningProgramTests {
    /// What a shell says of the descriptors that it finds, beside the one with which it looks.
    private static let descriptors = ["/bin/sh", "-c", "cd /proc/self/fd && echo *"]

    @Test(
        "a process with thousands of descriptors starts them, and keeps its descriptors to itself",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs Linux"))
    func manyDescriptors() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // Also such as a child would inherit.
            for _ in 0..<1500 { try require(open("/dev/null", O_RDONLY) >= 0) }
            let outcome = try ProgramOutcome(of: Self.descriptors)
            expect(outcome.status, is: 0)
            expect(outcome.output, is: "0 1 2 3\n", "\(outcome)")
        }
    }

    @Test("they say how they ended, and are not waited for twice")
    func endings() throws {
        let program = try RunningProgram(["/bin/sh", "-c", "exit 3"])
        expect(program.end(), is: .exited(3))
        expect(program.kill(), is: .exited(3))
        expect(try RunningProgram(["/bin/cat"], input: .pipe).kill() == .signal(SIGKILL))
        expect(throws: StorageError.self) { try RunningProgram(["/nowhere/at/all"]) }
        expect(throws: HarnessFault.self) {
            try ProgramOutcome(of: ["/bin/sh", "-c", "kill -TERM $$"])
        }
    }

    @Test("they are written to and read until their input is closed")
    func pipes() throws {
        let program = try RunningProgram(["/bin/cat"], input: .pipe, output: .pipe)
        program.write("one\n")
        expect(program.read(), is: Array("one\n".utf8))
        program.write("two\n")
        program.closeInput()
        expect(program.readToEnd(), is: Array("two\n".utf8))
        expect(program.end(), is: .exited(0))
        program.write("this is not read")
    }

    @Test("what they print is there if they end well, and at the descriptors that they get")
    func outputs() throws {
        expect(RunningProgram.output(of: ["/bin/echo", "one"]), is: "one\n")
        expect(RunningProgram.output(of: ["/bin/sh", "-c", "echo one; exit 3"]) == nil)
        expect(RunningProgram.output(of: ["/nowhere/at/all"]) == nil)
        let third = try DescriptorPipe()
        let program = try RunningProgram(
            ["/bin/sh", "-c", "echo one; echo two >&2; echo three >&3"], output: .pipe,
            messages: .output, others: [3: third.write])
        expect(program.readToEnd(), is: Array("one\ntwo\n".utf8))
        expect(third.read.read(), is: Array("three\n".utf8))
    }

    @Test("what they leave in their group is killed if that is wanted, and reported")
    func leftovers() throws {
        let program = try RunningProgram(
            ["/bin/sh", "-c", "sleep 600 & echo left"], output: .pipe, killsGroup: true)
        expect(program.end(), is: .exited(0))
        expect(program.leftProcesses)
        // The pipe ends with the process that was left.
        expect(program.readToEnd(), is: Array("left\n".utf8))
    }

    @Test("one that takes too long is killed")
    func limit() throws {
        let program = try RunningProgram(["/bin/cat"], input: .pipe, limit: 0.01)
        expect(program.end(), is: .signal(SIGKILL))
        expect(program.isOverdue)
    }

    #if os(Linux)
        @Test("a signal that comes meanwhile does not end what is read of them")
        func interruptedReads() async {
            await #expect(processExitsWith: .success) {
                // Without SA_RESTART.
                var action = sigaction()
                action.__sigaction_handler.sa_handler = { _ in }
                sigaction(SIGUSR1, &action, nil)
                // The threads of a queue block it.
                var signals = sigset_t()
                sigaddset(&signals, SIGUSR1)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                let read = try RunningProgram(["/bin/cat"], input: .pipe, output: .pipe)
                let other = try RunningProgram(["/bin/cat"], input: .pipe, output: .pipe)
                let reader = pthread_self()
                Thread.detachNewThread {
                    for _ in 1...100 {
                        // In this time the reader comes to wait.
                        other.write("tick")
                        _ = other.read()
                        pthread_kill(reader, SIGUSR1)
                    }
                    read.write("whole")
                    read.closeInput()
                }
                expect(read.readToEnd(), is: Array("whole".utf8))
            }
        }
    #endif
}
