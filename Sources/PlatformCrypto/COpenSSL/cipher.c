// On Apple platforms CryptoKit does all of this.
#if !defined(__APPLE__)

#include "COpenSSL.h"

#if !__has_include(<openssl/evp.h>)
#error "OpenSSL 3 is needed; on Debian and Ubuntu: apt-get install libssl-dev"
#endif

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

// OpenSSL takes lengths as int, so long texts go in parts, of whole blocks.
enum { part_bytes = 1 << 30 };

copenssl_cipher *copenssl_cipher_new(const void *key, int seals) {
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    if (cipher == NULL) return NULL;
    if (EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, NULL, seals) == 1
        && EVP_CIPHER_CTX_get_key_length(cipher) == COPENSSL_KEY_BYTES
        && EVP_CIPHER_CTX_get_iv_length(cipher) == COPENSSL_NONCE_BYTES)
        return cipher;
    EVP_CIPHER_CTX_free(cipher);
    return NULL;
}

copenssl_cipher *copenssl_cipher_derived(
    const void *key, size_t key_count, const uint8_t *info, size_t info_count, int seals) {
    uint8_t derived[COPENSSL_KEY_BYTES];
    copenssl_cipher *cipher = NULL;
    if (copenssl_hkdf(key, key_count, NULL, 0, info, info_count, derived, sizeof derived))
        cipher = copenssl_cipher_new(derived, seals);
    OPENSSL_cleanse(derived, sizeof derived);
    return cipher;
}

void copenssl_cipher_free(copenssl_cipher *cipher) { EVP_CIPHER_CTX_free(cipher); }

/// Passes bytes through the cipher; without `output` they are only authenticated.
static int pass(EVP_CIPHER_CTX *cipher, const uint8_t *bytes, size_t count, uint8_t *output) {
    while (count > 0) {
        int part = count > part_bytes ? part_bytes : (int)count;
        int passed = 0;
        if (EVP_CipherUpdate(cipher, output, &passed, bytes, part) != 1) return 0;
        if (passed != part) return 0;
        bytes += part;
        count -= (size_t)part;
        if (output != NULL) output += part;
    }
    return 1;
}

/// All but the tag: the key stays, the nonce is new.
static int begin(
    EVP_CIPHER_CTX *cipher, const uint8_t *nonce, const uint8_t *binding, size_t binding_count) {
    return EVP_CipherInit_ex(cipher, NULL, NULL, NULL, nonce, -1) == 1
        && pass(cipher, binding, binding_count, NULL);
}

/// Ends a text; GCM holds nothing back, so there is never any output.
static int end(EVP_CIPHER_CTX *cipher) {
    uint8_t none[EVP_MAX_BLOCK_LENGTH];
    int passed = 0;
    return EVP_CipherFinal_ex(cipher, none, &passed) == 1 && passed == 0;
}

int copenssl_seal(
    copenssl_cipher *cipher, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *plain, size_t count, uint8_t *ciphertext, uint8_t *tag) {
    return begin(cipher, nonce, binding, binding_count) && pass(cipher, plain, count, ciphertext)
        && end(cipher)
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, COPENSSL_TAG_BYTES, tag) == 1;
}

copenssl_opening copenssl_open(
    copenssl_cipher *cipher, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *ciphertext, size_t count, const uint8_t *tag, uint8_t *plain) {
    uint8_t expected[COPENSSL_TAG_BYTES];
    for (size_t index = 0; index < COPENSSL_TAG_BYTES; index++) expected[index] = tag[index];
    copenssl_opening result = COPENSSL_FAILED;
    if (begin(cipher, nonce, binding, binding_count) && pass(cipher, ciphertext, count, plain)
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, COPENSSL_TAG_BYTES, expected) == 1)
        result = end(cipher) ? COPENSSL_OPENED : COPENSSL_NOT_AUTHENTIC;
    if (result != COPENSSL_OPENED && count > 0) OPENSSL_cleanse(plain, count);
    // An answer, not a problem; no error stays in this thread's queue of OpenSSL.
    if (result == COPENSSL_NOT_AUTHENTIC) ERR_clear_error();
    return result;
}

#endif
