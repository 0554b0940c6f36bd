import ChildProcesses
import Foundation
import TestSupport

/// Firefox's Marionette protocol: `LENGTH:[0,id,command,arguments]` over plain TCP on loopback. One
/// call at a time.
public final class Marionette {
    private let connection: Descriptor
    private var unread: [UInt8] = []
    private var lastID = 0
    private let condition: () -> String

    /// Begins a session that runs scripts in the browser itself, not in a page.
    ///
    /// - Parameter condition: how it stands with the browser, for the message of an error.
    init(port: UInt16, condition: @escaping () -> String) throws {
        connection = try Loopback.connect(to: port)
        self.condition = condition
        _ = try nextMessage("the greeting")
        try call("WebDriver:NewSession", Arguments(capabilities: Arguments()))
        try call("Marionette:SetContext", Arguments(value: "chrome"))
        try call("WebDriver:SetTimeouts", Arguments(script: 90_000))
    }

    /// Runs the body of an asynchronous function in the browser and reads what it returns as JSON.
    public func evaluate<Answer: Decodable>(_ body: String, as type: Answer.Type = Answer.self)
        throws -> Answer
    {
        let script = """
            const answer = arguments[arguments.length - 1];
            (async () => {\(body)})().then(
                value => answer(JSON.stringify({ value: [value] })),
                error => answer(JSON.stringify({ error: `${error} ${error.stack}` })));
            """
        let text = try call("WebDriver:ExecuteAsyncScript", Arguments(script: script))
        return try ScriptOutcome<Answer>.value(in: text)
    }

    /// Asks the browser to end in order.
    func quit() throws { try call("Marionette:Quit", Arguments(flags: ["eAttemptQuit"])) }

    /// The text that the answer's value is; empty if it is none.
    @discardableResult
    private func call(_ command: String, _ arguments: Arguments) throws -> String {
        lastID += 1
        let encoder = JSONEncoder()
        let parts = try [
            encoder.encode(lastID), encoder.encode(command), encoder.encode(arguments),
        ]
        let message =
            "[0,"
            + parts.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: ",") + "]"
        guard connection.write(Array("\(message.utf8.count):\(message)".utf8)) else {
            throw DrivingError("\(command) cannot be sent: \(condition())")
        }
        let answer = try JSONDecoder().decode(Answer.self, from: nextMessage(command))
        if let failure = answer.failure {
            throw DrivingError("\(command): \(failure.error): \(failure.message)")
        }
        return answer.value ?? ""
    }

    private func nextMessage(_ command: String) throws -> Data {
        while true {
            if let colon = unread.firstIndex(of: UInt8(ascii: ":")) {
                guard let count = Int(String(decoding: unread[..<colon], as: UTF8.self)) else {
                    throw DrivingError("the answer to \(command) has no length")
                }
                let end = colon + 1 + count
                if unread.count >= end {
                    defer { unread.removeSubrange(..<end) }
                    return Data(unread[(colon + 1)..<end])
                }
            }
            let more = connection.read()
            guard !more.isEmpty else {
                throw DrivingError("no answer to \(command): \(condition())")
            }
            unread += more
        }
    }

    /// The arguments of every command that is used.
    private struct Arguments: Encodable {
        var fields: [String: any Encodable & Sendable] = [:]

        init() {}
        init(capabilities: Arguments) { fields = ["capabilities": capabilities] }
        init(value: String) { fields = ["value": value] }
        init(script: String) { fields = ["script": script, "args": [String]()] }
        init(script milliseconds: Int) { fields = ["script": milliseconds] }
        init(flags: [String]) { fields = ["flags": flags] }

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in fields {
                try value.encode(to: container.superEncoder(forKey: Key(stringValue: name)))
            }
        }
    }

    /// `[1, id, error or null, result]`.
    private struct Answer: Decodable {
        var failure: Failure?
        var value: String?

        struct Failure: Decodable {
            var error: String
            var message: String
        }

        private struct Result: Decodable {
            var value: String?

            enum CodingKeys: CodingKey { case value }

            init(from decoder: any Decoder) throws {
                let container = try? decoder.container(keyedBy: CodingKeys.self)
                value = try? container?.decode(String.self, forKey: .value)
            }
        }

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            _ = try (parts.decode(Int.self), parts.decode(Int.self))
            failure = try parts.decodeIfPresent(Failure.self)
            value = failure == nil ? try parts.decode(Result.self).value : nil
        }
    }
}
