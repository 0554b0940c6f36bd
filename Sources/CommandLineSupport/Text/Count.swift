/// A number with its noun, which agrees with it: `1 tab`, `2 tabs`.
///
/// - Parameter plural: if it is not the noun with an `s`.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
}
