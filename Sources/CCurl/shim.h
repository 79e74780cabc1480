// libcurl's variadic calls, one typed function each: Swift cannot call variadic C.
#ifndef BELFRY_CCURL_H
#define BELFRY_CCURL_H

#include <curl/curl.h>

// Handles, as Swift sees them: `CURL` and `CURLM` are both `void`.
static inline CURLcode belfry_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode belfry_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
/// libcurl copies strings.
static inline CURLcode belfry_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
/// Copies as many bytes as CURLOPT_POSTFIELDSIZE_LARGE told before.
static inline CURLcode belfry_curl_set_body(CURL *easy, const void *bytes) {
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}
/// The list is not copied: it has to live until the transfer is over.
static inline CURLcode belfry_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(easy, option, list);
}
static inline CURLcode belfry_curl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
    return curl_easy_setopt(easy, option, pointer);
}
/// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION: returning less than it was given ends the transfer.
typedef size_t (*belfry_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode belfry_curl_set_data_callback(
    CURL *easy, CURLoption option, belfry_curl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode belfry_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode belfry_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLMcode belfry_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode belfry_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *pointer) {
    return curl_multi_setopt(multi, option, pointer);
}
typedef int (*belfry_curl_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context, void *socketp);
static inline CURLMcode belfry_curl_multi_set_socket_callback(CURLM *multi, belfry_curl_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}
typedef int (*belfry_curl_timer_callback)(CURLM *multi, long milliseconds, void *context);
static inline CURLMcode belfry_curl_multi_set_timer_callback(CURLM *multi, belfry_curl_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

/// The easy handle of a finished transfer and its result, or NULL when no message is left.
static inline CURL *belfry_curl_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (;;) {
        CURLMsg *message = curl_multi_info_read(multi, &left);
        if (message == NULL) return NULL;
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
}

#endif
