import Foundation
import Testing

/// What a browser did not do.
struct BrowserFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A browser that is installed, or why there is none.
struct InstalledBrowser: Sendable {
    let path: String
    /// As it says itself.
    let version: String

    static let chromium = find("chromium")
    static let firefox = find("firefox-esr")

    /// `make browsers` asks for them; an ordinary test run leaves them alone.
    static let isWanted = ProcessInfo.processInfo.environment["BROWSERS"] == "1"

    private static func find(_ name: String) -> InstalledBrowser? {
        guard isWanted else { return nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        guard let path else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--version"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let version = text.split(separator: " ").first { $0.contains(".") }
        return version.map { InstalledBrowser(path: path, version: String($0)) }
    }
}

/// A browser that runs, until it ends or takes too long: then it is killed, and whoever reads from it
/// finds the end.
final class BrowserProcess {
    let output = Pipe()
    let input = Pipe()
    private let process = Process()
    private let deadline: DispatchWorkItem

    /// - Parameter pipesAt: whether input and output are given as the descriptors 3 and 4, where
    ///   Chromium speaks.
    init(
        _ browser: InstalledBrowser, _ arguments: [String], asDescriptors3And4: Bool,
        seconds: Double = 120
    ) throws {
        let isBare = !asDescriptors3And4
        process.executableURL = URL(fileURLWithPath: isBare ? browser.path : "/bin/sh")
        let plumbing = [
            "-c", #"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, browser.path,
        ]
        process.arguments = (isBare ? [] : plumbing) + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "DISPLAY" }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = isBare ? output : FileHandle.nullDevice
        try process.run()
        let identifier = process.processIdentifier
        deadline = DispatchWorkItem { Foundation.kill(identifier, SIGKILL) }
        // waits: until a browser that hangs is killed
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: deadline)
    }

    deinit { kill() }

    /// Ends it with SIGKILL, in the middle of whatever it does.
    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        waitUntilEnd()
    }

    func waitUntilEnd() {
        process.waitUntilExit()
        deadline.cancel()
    }
}

/// Reads until a mark, or throws at the end of the stream.
struct MessageReader {
    private let handle: FileHandle
    private var buffer = Data()

    init(_ handle: FileHandle) { self.handle = handle }

    mutating func read(until mark: UInt8) throws -> Data {
        while true {
            if let end = buffer.firstIndex(of: mark) {
                defer { buffer = Data(buffer[buffer.index(after: end)...]) }
                return Data(buffer[..<end])
            }
            try fill()
        }
    }

    mutating func read(count: Int) throws -> Data {
        while buffer.count < count { try fill() }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private mutating func fill() throws {
        let more = handle.availableData
        guard !more.isEmpty else { throw BrowserFailure("the browser ended or took too long") }
        buffer.append(more)
    }
}
