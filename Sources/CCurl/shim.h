/* The one door to libcurl: used by BridgecastFeeds, and by nothing else. Swift cannot call functions with a variable
 * number of arguments, so those of libcurl are here with fixed ones. */
#ifndef BRIDGECAST_CURL_H
#define BRIDGECAST_CURL_H

#define CURL_DISABLE_TYPECHECK
#define CURL_STRICTER
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode bridgecast_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode bridgecast_curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}

static inline CURLcode bridgecast_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

/* Where libcurl writes what went wrong: CURL_ERROR_SIZE bytes. */
static inline CURLcode bridgecast_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

/* Both callbacks of a transfer, for the fields of the answer and for its content, and the pointer that they get. */
static inline void bridgecast_curl_set_callbacks(CURL *handle, curl_write_callback field,
                                                 curl_write_callback content, void *context) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, field);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, content);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/* The status of the last answer; 0 if there was none. */
static inline long bridgecast_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* The result of the only transfer of a multi handle that has ended; -1 while it goes on. */
static inline int bridgecast_curl_result(CURLM *multi) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    return message != NULL && message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

/* The request's body: it must live until the transfer is over. */
static inline void bridgecast_curl_set_body(CURL *handle, const char *bytes, long count) {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}

/* A callback that opens the socket of each connection, for the address that was found; and the pointer that it gets. */
static inline void bridgecast_curl_set_socket_callback(CURL *handle, curl_opensocket_callback callback, void *context) {
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

/* The address that a socket is to be connected to, in network order: 4 or 16 bytes; 0 for one of another family. */
static inline int bridgecast_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

static inline curl_socket_t bridgecast_curl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Whether anything of the request was handed to the network. */
static inline int bridgecast_curl_was_sent(CURL *handle) {
    long bytes = 0;
    curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &bytes);
    return bytes > 0;
}

#endif
