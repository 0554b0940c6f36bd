/// What a sealed text consists of: nonce, ciphertext, tag. Files are full of it; never change it.
enum SealedForm {
    static let keyBytes = 32
    static let nonceBytes = 12
    static let tagBytes = 16
    /// What a sealed text has beyond its plain bytes.
    static let overhead = nonceBytes + tagBytes
}
