public import CWebKit
public import CWebKitGTK

public typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Returns the same object as another of the types in GTK's headers.
public func cast<Object>(_ widget: Widget?, to: Object.Type = Object.self) -> UnsafeMutablePointer<
    Object
>? {
    UnsafeMutableRawPointer(widget)?.assumingMemoryBound(to: Object.self)
}

/// Calls a function at each signal of an object. The function is kept as long as the object lives.
@GLibActor
public func connect(
    _ object: Widget?, _ signal: String, _ action: @escaping @GLibActor (Widget?) -> Void
) {
    let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
        guard let context = $0 else { return 0 }
        let about = UInt(bitPattern: $1)
        GLibActor.assumeIsolated {
            Unmanaged<Action>.fromOpaque(context).takeUnretainedValue()
                .run(UnsafeMutablePointer(bitPattern: about))
        }
        // If the signal asks whether it was handled, the answer is yes.
        return 1
    }
    wk_connect(object, signal, call, Unmanaged.passRetained(Action(action)).toOpaque()) {
        if let context = $0 { Unmanaged<Action>.fromOpaque(context).release() }
    }
}

/// Calls a function when a mouse button is pressed in a widget, before the widget has the event.
@GLibActor
public func onPress(_ widget: Widget?, _ action: @escaping @GLibActor () -> Void) {
    guard let gesture = gtk_gesture_click_new() else { return }
    gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
    gtk_widget_add_controller(widget, gesture)
    connect(Widget(gesture), "pressed") { _ in action() }
}

private final class Action: Sendable {
    let run: @GLibActor (Widget?) -> Void
    init(_ run: @escaping @GLibActor (Widget?) -> Void) { self.run = run }
}

/// Adds a button with an icon of the theme to a box.
@GLibActor
public func button(
    _ icon: String, _ help: String, in box: Widget?, _ action: @escaping @GLibActor () -> Void
) {
    let button = gtk_button_new_from_icon_name(icon)
    gtk_widget_set_tooltip_text(button, help)
    connect(button, "clicked") { _ in action() }
    gtk_box_append(cast(box), button)
}

/// Returns a C string; empty if there is none.
public func string(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
}
