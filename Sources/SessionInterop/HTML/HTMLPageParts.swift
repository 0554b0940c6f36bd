import Foundation
import PlatformCrypto

/// The parts of every page: its style, its scripts, and the policy that allows nothing else. They
/// are separate files in the sources, and part of the program.
enum HTMLPageParts {
    static let style: [UInt8] =
        PackageResources.page_css + PackageResources.rows_css + PackageResources.paper_css
    static let script: [UInt8] =
        PackageResources.text_js + PackageResources.address_js + PackageResources.words_js
        + PackageResources.data_js + PackageResources.roll_js + PackageResources.rows_js
        + PackageResources.choose_js + PackageResources.views_js + PackageResources.keys_js
        + PackageResources.paper_js
        + PackageResources.main_js

    /// The policy. Nothing is fetched, only this style and this script are applied, and the script
    /// cannot create markup from text.
    static let policy =
        "default-src 'none'; style-src '\(hash(of: style))'; script-src '\(hash(of: script))'; "
        + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        + "trusted-types 'none'"

    private static func hash(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return "sha256-" + Data(hash.digest()).base64EncodedString()
    }

    /// Returns everything before the data.
    static func beginning(title: String) -> [UInt8] {
        var text = HTMLText()
        text.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        text.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n")
        text.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        text.raw("<meta name=\"referrer\" content=\"no-referrer\">\n<title>")
        text.plain(title)
        text.raw("</title>\n<style>")
        text.raw(style)
        text.raw("</style>\n</head>\n<body>\n")
        text.raw(PackageResources.shell_html)
        return text.bytes
    }

    /// Everything after the data.
    static var end: [UInt8] {
        var text = HTMLText()
        text.raw("<script type=\"module\">")
        text.raw(script)
        text.raw("</script>\n</body>\n</html>\n")
        return text.bytes
    }
}
