#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

// The few calls of OpenSSL 3 that this package makes, each with all its answers checked. What
// returns an int returns 1 if it did what it says, else 0; what returns a pointer returns NULL if
// it failed. `copenssl_problem` then says why. One caller at a time uses a context.

enum {
    COPENSSL_KEY_BYTES = 32,
    COPENSSL_NONCE_BYTES = 12,
    COPENSSL_TAG_BYTES = 16,
    COPENSSL_DIGEST_BYTES = 32,
};

/// How opening a sealed text ended.
typedef enum {
    COPENSSL_OPENED,
    /// The tag is not that of these bytes under this key. Nothing of the text is given away.
    COPENSSL_NOT_AUTHENTIC,
    COPENSSL_FAILED,
} copenssl_opening;

/// AES-256-GCM in one direction under one key, which it keeps until it is freed, and then wipes.
typedef struct evp_cipher_ctx_st copenssl_cipher;

/// The key has `COPENSSL_KEY_BYTES`.
copenssl_cipher *copenssl_cipher_new(const void *key, int seals);

/// Under a key that HKDF makes of another one for the purpose that `info` names.
copenssl_cipher *copenssl_cipher_derived(
    const void *key, size_t key_count, const uint8_t *info, size_t info_count, int seals);

void copenssl_cipher_free(copenssl_cipher *cipher);

/// Writes `count` bytes of ciphertext, and the tag.
int copenssl_seal(
    copenssl_cipher *cipher, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *plain, size_t count, uint8_t *ciphertext, uint8_t *tag);

/// Writes `count` bytes of plain text, or zeros unless it returns `COPENSSL_OPENED`.
copenssl_opening copenssl_open(
    copenssl_cipher *cipher, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *ciphertext, size_t count, const uint8_t *tag, uint8_t *plain);

/// HMAC-SHA256 under one key, which it keeps until it is freed, and then wipes.
typedef struct evp_mac_ctx_st copenssl_hmac;

copenssl_hmac *copenssl_hmac_new(const void *key, size_t count);

/// Under a key that HKDF makes of another one for the purpose that `info` names.
copenssl_hmac *copenssl_hmac_derived(
    const void *key, size_t key_count, const uint8_t *info, size_t info_count);

void copenssl_hmac_free(copenssl_hmac *hmac);

/// Writes the code of the bytes, `COPENSSL_DIGEST_BYTES` long.
int copenssl_hmac_code(copenssl_hmac *hmac, const uint8_t *bytes, size_t count, uint8_t *code);

/// HKDF-SHA256 (RFC 5869): derives `count` bytes from a key.
int copenssl_hkdf(
    const uint8_t *key, size_t key_count, const uint8_t *salt, size_t salt_count,
    const uint8_t *info, size_t info_count, uint8_t *derived, size_t count);

/// SHA-256 of bytes that come one after the other.
typedef struct evp_md_ctx_st copenssl_sha256;

copenssl_sha256 *copenssl_sha256_new(void);
copenssl_sha256 *copenssl_sha256_copy(const copenssl_sha256 *hash);
void copenssl_sha256_free(copenssl_sha256 *hash);
int copenssl_sha256_update(copenssl_sha256 *hash, const uint8_t *bytes, size_t count);

/// Writes the digest, `COPENSSL_DIGEST_BYTES` long. Nothing but freeing may follow.
int copenssl_sha256_finish(copenssl_sha256 *hash, uint8_t *digest);

/// Fills the bytes from a random generator that is fit for keys, also after a fork.
int copenssl_random(uint8_t *bytes, size_t count);

/// Writes why the last call of this thread failed, ended by a zero, and forgets it.
void copenssl_problem(char *text, size_t count);

#endif
