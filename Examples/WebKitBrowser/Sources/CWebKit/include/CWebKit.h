#pragma once
#include <webkit/webkit.h>

// What a view tells of its page.
typedef enum __attribute__((enum_extensibility(closed))) {
    WKStarted, WKCommitted, WKFinished, WKFailed, WKDownload, WKTitle, WKHistory,
    WKActed, WKTouched, WKCrashed, WKClose, WKPopup,
} WKEvent;

// Returns the widget of the new view for WKPopup, or NULL if there is none; else nothing.
typedef void *(*WKTell)(void *context, WKEvent event, const char *address, const char *text);

// A view that the caller owns: in a session, or, if there is one, as the relative of its opener.
WebKitWebView *wk_view_new(
    WebKitNetworkSession *session, WebKitWebView *opener, WebKitSettings *settings);
// Begins to tell. There is one listener for each view.
void wk_view_connect(WebKitWebView *view, WKTell tell, void *context);
// Stops to tell, takes the view out of its box and lets go of it.
void wk_view_close(WebKitWebView *view);

// Saves what a session downloads in a folder.
void wk_session_download_into(WebKitNetworkSession *session, const char *folder);

// Calls back at a signal of any object, with the context and the first thing that the signal is about;
// releases the context when the object ends.
void wk_connect(
    void *object, const char *signal, int (*call)(void *context, void *about), void *context,
    void (*release)(void *context));
