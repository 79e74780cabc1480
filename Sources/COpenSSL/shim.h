// libssl's macros as functions: Swift cannot see function-like macros.
#ifndef BELFRY_COPENSSL_H
#define BELFRY_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline void belfry_ssl_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void belfry_ssl_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
static inline void belfry_ssl_set_session_cache_off(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int belfry_ssl_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline int belfry_ssl_set_groups(SSL_CTX *context, const char *names) {
    return SSL_CTX_set1_groups_list(context, names);
}
static inline int belfry_ssl_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

/// Option bits are macros with a cast, which Swift does not import.
static inline uint64_t belfry_ssl_option_no_renegotiation(void) { return SSL_OP_NO_RENEGOTIATION; }
static inline uint64_t belfry_ssl_option_no_compression(void) { return SSL_OP_NO_COMPRESSION; }
static inline uint64_t belfry_ssl_option_ignore_unexpected_eof(void) { return SSL_OP_IGNORE_UNEXPECTED_EOF; }
static inline uint64_t belfry_ssl_option_server_preference(void) {
    return SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;
}

/// The errno in a system error of the library's queue; 0 for the library's own errors.
static inline int belfry_err_system_error(unsigned long code) {
    return ERR_SYSTEM_ERROR(code) ? ERR_GET_REASON(code) : 0;
}

/// Makes it HMAC-SHA256 with that key. The parameters point to their names, which a Swift string would not outlive.
static inline int belfry_mac_set_key(EVP_MAC_CTX *mac, const unsigned char *key, size_t count) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, count),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}

/// A fresh P-256 key, or NULL.
static inline EVP_PKEY *belfry_new_p256_key(void) { return EVP_EC_gen("P-256"); }

/// What a memory BIO holds; valid until the BIO changes.
static inline long belfry_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

#endif
