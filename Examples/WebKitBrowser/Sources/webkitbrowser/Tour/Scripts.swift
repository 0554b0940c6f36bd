import CWebKit
import CWebKitGTK
import GTKSupport
import WebKitGTKEngine

extension WebKitView {
    /// Returns the result of a script in the page; `nil` if it fails or the page's process ends.
    /// While the page hangs, does not return.
    func evaluate(_ script: String) async -> String? {
        await withCheckedContinuation { continuation in
            let answer = Unmanaged.passRetained(Answer(continuation))
            webkit_web_view_evaluate_javascript(
                web, script, -1, nil, nil, nil,
                { view, result, context in
                    guard let context, let view else { return }
                    let value = webkit_web_view_evaluate_javascript_finish(
                        UnsafeMutableRawPointer(view).assumingMemoryBound(to: WebKitWebView.self),
                        result, nil)
                    let text = value.flatMap { jsc_value_to_string($0) }
                    Unmanaged<Answer>.fromOpaque(context).takeRetainedValue()
                        .continuation.resume(returning: text.map { string($0) })
                    g_free(text)
                    if let value { g_object_unref(UnsafeMutableRawPointer(value)) }
                }, answer.toOpaque())
        }
    }
}

/// A caller that waits for the result of a script.
private final class Answer {
    let continuation: CheckedContinuation<String?, Never>
    init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = continuation }
}
