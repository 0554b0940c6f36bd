import Foundation

/// A server on loopback with a self-signed certificate. It runs as long as the value is kept.
final class SecureServer {
    let address: String
    private let process = Process()

    /// Starts the server. Throws without the program `openssl`.
    init(folder: String) throws {
        let (key, certificate) = ("\(folder)/key.pem", "\(folder)/certificate.pem")
        let maker = Self.openssl(
            Process(), "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -keyout", key,
            "-out", certificate)
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        let output = Pipe()
        Self.openssl(
            process, "s_server -www -4 -accept 127.0.0.1:0 -key", key, "-cert", certificate)
        process.standardOutput = output
        process.standardInput = Pipe()
        try process.run()
        var said = ""
        // The server prints its port on a separate line.
        while said.firstMatch(of: /ACCEPT .*:(\d+)\n/) == nil {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            said += String(decoding: data, as: UTF8.self)
        }
        let port = said.firstMatch(of: /ACCEPT .*:(\d+)\n/)?.output.1 ?? "0"
        address = "https://127.0.0.1:\(port)/"
    }

    deinit { process.terminate() }

    @discardableResult
    private static func openssl(_ process: Process, _ words: String, _ more: String...) -> Process {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = words.split(separator: " ").map(String.init) + more
        return process
    }
}
