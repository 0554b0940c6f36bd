#include "CWebKit.h"

typedef struct {
    WKTell tell;
    void *context;
    WebKitBackForwardList *list;
    GtkEventController *input;
} Listener;

static void *tell(Listener *to, WKEvent event, const char *address, const char *text)
{
    return to->tell(to->context, event, address ? address : "", text ? text : "");
}

static void load_changed(WebKitWebView *view, WebKitLoadEvent event, Listener *to)
{
    static const WKEvent events[] = {WKStarted, WKStarted, WKCommitted, WKFinished};
    tell(to, events[event], webkit_web_view_get_uri(view), NULL);
}

static gboolean load_failed(
    WebKitWebView *view, WebKitLoadEvent event, const char *address, GError *error, Listener *to)
{
    // If another load took its place, or it became a download, other signals report it.
    if (!g_error_matches(error, WEBKIT_NETWORK_ERROR, WEBKIT_NETWORK_ERROR_CANCELLED) &&
        !g_error_matches(
            error, WEBKIT_POLICY_ERROR,
            WEBKIT_POLICY_ERROR_FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE))
        tell(to, WKFailed, address, error->message);
    return TRUE;  // WebKit shows no page for the error, so the previous page stays.
}

static gboolean tls_failed(
    WebKitWebView *view, const char *address, GTlsCertificate *certificate,
    GTlsCertificateFlags errors, Listener *to)
{
    tell(to, WKFailed, address, "The server's certificate can't be trusted.");
    return TRUE;
}

static gboolean is_attachment(WebKitURIResponse *response)
{
    SoupMessageHeaders *headers = webkit_uri_response_get_http_headers(response);
    char *disposition = NULL;
    if (headers) soup_message_headers_get_content_disposition(headers, &disposition, NULL);
    gboolean is = disposition && g_ascii_strcasecmp(disposition, "attachment") == 0;
    g_free(disposition);
    return is;
}

static gboolean decide_policy(
    WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type,
    Listener *to)
{
    if (type != WEBKIT_POLICY_DECISION_TYPE_RESPONSE) return FALSE;
    WebKitResponsePolicyDecision *policy = WEBKIT_RESPONSE_POLICY_DECISION(decision);
    WebKitURIResponse *response = webkit_response_policy_decision_get_response(policy);
    if (!is_attachment(response) &&
        webkit_response_policy_decision_is_mime_type_supported(policy))
        return FALSE;
    webkit_policy_decision_download(decision);
    if (webkit_response_policy_decision_is_main_frame_main_resource(policy))
        tell(to, WKDownload, webkit_uri_response_get_uri(response), NULL);
    return TRUE;
}

static GtkWidget *create(WebKitWebView *view, WebKitNavigationAction *action, Listener *to)
{
    return tell(to, WKPopup, NULL, NULL);
}

static void title_changed(WebKitWebView *view, GParamSpec *property, Listener *to)
{
    tell(to, WKTitle, NULL, webkit_web_view_get_title(view));
}

// The other parameters of these signals are not needed.
static void crashed(Listener *to) { tell(to, WKCrashed, NULL, NULL); }
static void closed(Listener *to) { tell(to, WKClose, NULL, NULL); }
static void list_changed(Listener *to) { tell(to, WKHistory, NULL, NULL); }

static gboolean input(GtkEventController *controller, GdkEvent *event, Listener *to)
{
    switch (gdk_event_get_event_type(event)) {
    case GDK_KEY_PRESS: case GDK_BUTTON_PRESS: case GDK_TOUCH_BEGIN:
        tell(to, WKActed, NULL, NULL);
        break;
    case GDK_KEY_RELEASE: case GDK_BUTTON_RELEASE: case GDK_TOUCH_END: case GDK_SCROLL:
        tell(to, WKTouched, NULL, NULL);
        break;
    default: break;
    }
    return FALSE;
}

WebKitWebView *wk_view_new(
    WebKitNetworkSession *session, WebKitWebView *opener, WebKitSettings *settings)
{
    return g_object_ref_sink(g_object_new(
        WEBKIT_TYPE_WEB_VIEW, opener ? "related-view" : "network-session",
        opener ? (gpointer)opener : session, "settings", settings, "hexpand", TRUE, "vexpand", TRUE,
        NULL));
}

void wk_view_connect(WebKitWebView *view, WKTell callback, void *context)
{
    Listener *to = g_new0(Listener, 1);
    to->tell = callback;
    to->context = context;
    to->list = webkit_web_view_get_back_forward_list(view);
    to->input = gtk_event_controller_legacy_new();
    g_object_set_data_full(G_OBJECT(view), "wk-listener", to, g_free);
    gtk_event_controller_set_propagation_phase(to->input, GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(GTK_WIDGET(view), to->input);
    g_signal_connect(to->input, "event", G_CALLBACK(input), to);
    g_signal_connect_swapped(to->list, "changed", G_CALLBACK(list_changed), to);
    g_signal_connect(view, "load-changed", G_CALLBACK(load_changed), to);
    g_signal_connect(view, "load-failed", G_CALLBACK(load_failed), to);
    g_signal_connect(view, "load-failed-with-tls-errors", G_CALLBACK(tls_failed), to);
    g_signal_connect(view, "decide-policy", G_CALLBACK(decide_policy), to);
    g_signal_connect(view, "create", G_CALLBACK(create), to);
    g_signal_connect(view, "notify::title", G_CALLBACK(title_changed), to);
    g_signal_connect_swapped(view, "notify::uri", G_CALLBACK(list_changed), to);
    g_signal_connect_swapped(view, "web-process-terminated", G_CALLBACK(crashed), to);
    g_signal_connect_swapped(view, "close", G_CALLBACK(closed), to);
}

void wk_view_close(WebKitWebView *view)
{
    Listener *to = g_object_get_data(G_OBJECT(view), "wk-listener");
    if (to) {
        g_signal_handlers_disconnect_by_data(view, to);
        g_signal_handlers_disconnect_by_data(to->list, to);
        gtk_widget_remove_controller(GTK_WIDGET(view), to->input);
    }
    GtkWidget *box = gtk_widget_get_parent(GTK_WIDGET(view));
    if (box && GTK_IS_BOX(box)) gtk_box_remove(GTK_BOX(box), GTK_WIDGET(view));
    g_object_unref(view);
}

static gboolean decide_destination(WebKitDownload *download, const char *name, const char *folder)
{
    char *path = g_build_filename(folder, name, NULL);
    webkit_download_set_destination(download, path);
    g_free(path);
    return TRUE;
}

static void download_started(WebKitNetworkSession *session, WebKitDownload *download, char *folder)
{
    g_signal_connect(download, "decide-destination", G_CALLBACK(decide_destination), folder);
}

void wk_session_download_into(WebKitNetworkSession *session, const char *folder)
{
    // Downloads outlive their session, so the folder's name lives as long as the program.
    g_signal_connect(
        session, "download-started", G_CALLBACK(download_started),
        (gpointer)g_intern_string(folder));
}

void wk_connect(
    void *object, const char *signal, int (*call)(void *context, void *about), void *context,
    void (*release)(void *context))
{
    g_signal_connect_data(
        object, signal, G_CALLBACK(call), context, (GClosureNotify)(void (*)(void))release,
        G_CONNECT_SWAPPED);
}
