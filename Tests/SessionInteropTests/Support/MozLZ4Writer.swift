@testable import SessionInterop

/// The compressed form of a Firefox session file.
///
/// - Parameter size: what the header says in place of the text's own size.
func mozLZ4(_ text: [UInt8], claiming size: UInt32? = nil) -> [UInt8] {
    var bytes = (try? MozLZ4.fold(text)) ?? []
    if let size { bytes.replaceSubrange(8..<12, with: size.littleEndianBytes) }
    return bytes
}
