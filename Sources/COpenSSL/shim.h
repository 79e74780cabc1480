// libssl's macros as functions: Swift cannot see function-like macros.
#ifndef BELFRY_COPENSSL_H
#define BELFRY_COPENSSL_H

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline void belfry_ssl_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void belfry_ssl_set_session_cache_off(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int belfry_ssl_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

/// Option bits are macros with a cast, which Swift does not import.
static inline uint64_t belfry_ssl_option_no_renegotiation(void) { return SSL_OP_NO_RENEGOTIATION; }
static inline uint64_t belfry_ssl_option_ignore_unexpected_eof(void) { return SSL_OP_IGNORE_UNEXPECTED_EOF; }

/// The errno in a system error of the library's queue; 0 for the library's own errors.
static inline int belfry_err_system_error(unsigned long code) {
    return ERR_SYSTEM_ERROR(code) ? ERR_GET_REASON(code) : 0;
}

/// A fresh P-256 key, or NULL.
static inline EVP_PKEY *belfry_new_p256_key(void) { return EVP_EC_gen("P-256"); }

/// What a memory BIO holds; valid until the BIO changes.
static inline long belfry_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

#endif
