import Foundation
import Testing

/// The program that `swift build --build-tests` makes. Without a file of this name, SwiftPM looks for tests of
/// XCTest, and there are none, in an index of all sources that the compiler has to write.
@main
struct Runner {
    static func main() async {
        // `swift test` asks for nothing when it means all, and with options for a list of tests of XCTest; that it
        // ended well then, without a test, is findings/swift-test-own-main.sh.
        guard CommandLine.arguments.count == 1 || CommandLine.arguments.contains("swift-testing")
        else {
            FileHandle.standardError.write(
                Data("With options: swift test --disable-xctest --enable-swift-testing …\n".utf8))
            exit(EX_USAGE)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
