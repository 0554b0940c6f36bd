#if !defined(__APPLE__)

#include "COpenSSL.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <limits.h>
#include <stdio.h>

static char digest_name[] = "SHA256";

// MARK: HMAC

copenssl_hmac *copenssl_hmac_new(const void *key, size_t count) {
    EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
    if (algorithm == NULL) return NULL;
    EVP_MAC_CTX *hmac = EVP_MAC_CTX_new(algorithm);
    EVP_MAC_free(algorithm);  // The context holds it.
    if (hmac == NULL) return NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
        OSSL_PARAM_construct_end(),
    };
    if (EVP_MAC_init(hmac, key, count, parameters) == 1
        && EVP_MAC_CTX_get_mac_size(hmac) == COPENSSL_DIGEST_BYTES)
        return hmac;
    EVP_MAC_CTX_free(hmac);
    return NULL;
}

copenssl_hmac *copenssl_hmac_derived(
    const void *key, size_t key_count, const uint8_t *info, size_t info_count) {
    uint8_t derived[COPENSSL_KEY_BYTES];
    copenssl_hmac *hmac = NULL;
    if (copenssl_hkdf(key, key_count, NULL, 0, info, info_count, derived, sizeof derived))
        hmac = copenssl_hmac_new(derived, sizeof derived);
    OPENSSL_cleanse(derived, sizeof derived);
    return hmac;
}

void copenssl_hmac_free(copenssl_hmac *hmac) { EVP_MAC_CTX_free(hmac); }

int copenssl_hmac_code(copenssl_hmac *hmac, const uint8_t *bytes, size_t count, uint8_t *code) {
    size_t length = 0;
    // Without a key, it starts over with the one it has.
    return EVP_MAC_init(hmac, NULL, 0, NULL) == 1 && EVP_MAC_update(hmac, bytes, count) == 1
        && EVP_MAC_final(hmac, code, &length, COPENSSL_DIGEST_BYTES) == 1
        && length == COPENSSL_DIGEST_BYTES;
}

// MARK: HKDF

int copenssl_hkdf(
    const uint8_t *key, size_t key_count, const uint8_t *salt, size_t salt_count,
    const uint8_t *info, size_t info_count, uint8_t *derived, size_t count) {
    EVP_KDF *algorithm = EVP_KDF_fetch(NULL, "HKDF", NULL);
    if (algorithm == NULL) return 0;
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(algorithm);
    EVP_KDF_free(algorithm);
    if (context == NULL) return 0;
    // The parameters are read only; their type has no const. None may be NULL.
    static uint8_t none[1];
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest_name, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count),
        OSSL_PARAM_construct_octet_string(
            OSSL_KDF_PARAM_SALT, salt_count > 0 ? (void *)salt : none, salt_count),
        OSSL_PARAM_construct_octet_string(
            OSSL_KDF_PARAM_INFO, info_count > 0 ? (void *)info : none, info_count),
        OSSL_PARAM_construct_end(),
    };
    int result = EVP_KDF_derive(context, derived, count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return result;
}

// MARK: SHA-256

copenssl_sha256 *copenssl_sha256_new(void) {
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    if (hash == NULL) return NULL;
    if (EVP_DigestInit_ex(hash, EVP_sha256(), NULL) == 1) return hash;
    EVP_MD_CTX_free(hash);
    return NULL;
}

copenssl_sha256 *copenssl_sha256_copy(const copenssl_sha256 *hash) {
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    if (copy == NULL) return NULL;
    if (EVP_MD_CTX_copy_ex(copy, hash) == 1) return copy;
    EVP_MD_CTX_free(copy);
    return NULL;
}

void copenssl_sha256_free(copenssl_sha256 *hash) { EVP_MD_CTX_free(hash); }

int copenssl_sha256_update(copenssl_sha256 *hash, const uint8_t *bytes, size_t count) {
    return EVP_DigestUpdate(hash, bytes, count) == 1;
}

int copenssl_sha256_finish(copenssl_sha256 *hash, uint8_t *digest) {
    unsigned length = 0;
    return EVP_DigestFinal_ex(hash, digest, &length) == 1 && length == COPENSSL_DIGEST_BYTES;
}

// MARK: Random bytes, problems

int copenssl_random(uint8_t *bytes, size_t count) {
    return count <= INT_MAX && RAND_bytes(bytes, (int)count) == 1;
}

void copenssl_problem(char *text, size_t count) {
    unsigned long code = ERR_peek_last_error();
    ERR_clear_error();
    if (code != 0) ERR_error_string_n(code, text, count);
    else snprintf(text, count, "it does not say why");
}

#endif
