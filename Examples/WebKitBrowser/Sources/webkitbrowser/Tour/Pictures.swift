import CWebKit
import CWebKitGTK
import GTKSupport
import WebKitGTKEngine

extension WebKitView {
    /// Saves the visible part of the page as PNG. Returns whether it was saved.
    func takePicture(_ path: String) async -> Bool {
        await withCheckedContinuation { continuation in
            let picture = Unmanaged.passRetained(Picture(path, continuation))
            webkit_web_view_get_snapshot(
                web, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, nil,
                { view, result, context in
                    guard let context, let view else { return }
                    let picture = Unmanaged<Picture>.fromOpaque(context).takeRetainedValue()
                    let texture = webkit_web_view_get_snapshot_finish(
                        UnsafeMutableRawPointer(view).assumingMemoryBound(to: WebKitWebView.self),
                        result, nil)
                    let isSaved = texture.map { gdk_texture_save_to_png($0, picture.path) != 0 }
                    picture.continuation.resume(returning: isSaved ?? false)
                    if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
                }, picture.toOpaque())
        }
    }
}

private final class Picture {
    let path: String
    let continuation: CheckedContinuation<Bool, Never>

    init(_ path: String, _ continuation: CheckedContinuation<Bool, Never>) {
        (self.path, self.continuation) = (path, continuation)
    }
}

/// Returns how many pixels of two pictures differ, and the total; `nil` if they cannot be compared.
func difference(_ one: String, _ other: String) -> (different: Int, all: Int)? {
    guard let one = pixels(one), let other = pixels(other), one.count == other.count else {
        return nil
    }
    return (zip(one, other).count { $0 != $1 }, one.count)
}

private func pixels(_ path: String) -> [UInt32]? {
    guard let texture = gdk_texture_new_from_filename(path, nil) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
    let (width, height) = (
        Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture))
    )
    var pixels = [UInt32](repeating: 0, count: width * height)
    pixels.withUnsafeMutableBytes {
        gdk_texture_download(
            texture, $0.assumingMemoryBound(to: UInt8.self).baseAddress, gsize(width * 4))
    }
    return pixels
}

/// Returns the color of a pixel of the lowest line of a picture; `nil` if there is none.
func lowestColor(_ path: String, at place: Int) -> UInt32? {
    guard let texture = gdk_texture_new_from_filename(path, nil) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
    let width = Int(gdk_texture_get_width(texture))
    return place < width ? pixels(path)?.suffix(width).dropFirst(place).first : nil
}

/// Saves a whole window as PNG, as it is on the screen. Returns whether it was saved.
func picture(ofWindow widget: Widget?, _ path: String) -> Bool {
    guard let native = widget.map({ OpaquePointer($0) }) else { return false }
    let paintable = gtk_widget_paintable_new(widget)
    let snapshot = gtk_snapshot_new()
    let size = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
    gdk_paintable_snapshot(paintable, snapshot, size.0, size.1)
    guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
    let texture = gsk_renderer_render_texture(gtk_native_get_renderer(native), node, nil)
    defer {
        gsk_render_node_unref(node)
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
    }
    return texture.map { gdk_texture_save_to_png($0, path) != 0 } ?? false
}
