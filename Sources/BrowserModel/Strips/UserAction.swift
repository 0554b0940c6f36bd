/// A user action in a strip.
///
/// It refers to tabs, not indexes, because tabs can come and go before it is applied to the list.
enum UserAction {
    case selected(Tab?)
    /// Some tabs were moved, so that the strip showed this order. `moved` is empty if the strip
    /// only lost or gained tabs, which is corrected.
    case arranged([Tab], moved: [Tab])
    case closed(Tab)
}
