#pragma once
#include <webkit/webkit.h>

// The events of a page that a view reports.
typedef enum __attribute__((enum_extensibility(closed))) {
    WKStarted, WKCommitted, WKFinished, WKFailed, WKDownload, WKTitle, WKHistory,
    WKActed, WKTouched, WKCrashed, WKClose, WKPopup,
} WKEvent;

// Receives an event. For WKPopup, returns the widget of the new view, or NULL if the popup is refused;
// the value for other events is not used.
typedef void *(*WKTell)(void *context, WKEvent event, const char *address, const char *text);

// Returns a new view that the caller owns. It shares the process and session of the opener; if there is
// no opener, it is in the given session.
WebKitWebView *wk_view_new(
    WebKitNetworkSession *session, WebKitWebView *opener, WebKitSettings *settings);
// Begins to report events. Call it once for each view.
void wk_view_connect(WebKitWebView *view, WKTell tell, void *context);
// Stops reporting events, removes the view from its box, and releases it.
void wk_view_close(WebKitWebView *view);

// Saves the downloads of a session in a folder.
void wk_session_download_into(WebKitNetworkSession *session, const char *folder);

// Calls a function at each signal of an object, with the context and the first parameter of the signal.
// Releases the context when the object ends.
void wk_connect(
    void *object, const char *signal, int (*call)(void *context, void *about), void *context,
    void (*release)(void *context));
