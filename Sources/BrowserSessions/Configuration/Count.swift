/// Returns a number with a noun that agrees with it: `1 tab`, `2 tabs`.
///
/// - Parameter plural: the plural, if it is not the noun with an added `s`.
package func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
}
