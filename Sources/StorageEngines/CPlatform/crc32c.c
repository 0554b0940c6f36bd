#include "CPlatform.h"

#include <pthread.h>
#include <string.h>

// Portable: eight bytes per step and eight tables (polynomial 0x1EDC6F41, reflected 0x82F63B78).

static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
        tables[0][byte] = crc;
    }
    for (int table = 1; table < 8; table++) {
        for (int byte = 0; byte < 256; byte++) {
            uint32_t previous = tables[table - 1][byte];
            tables[table][byte] = previous >> 8 ^ tables[0][previous & 0xFF];
        }
    }
}

uint32_t platform_crc32c_portable(uint32_t crc, const void *bytes, size_t length) {
    pthread_once(&tables_once, make_tables);
    const unsigned char *next = bytes;
    crc = ~crc;
    for (; length >= 8; length -= 8, next += 8) {
        uint32_t low = crc ^ ((uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16
                              | (uint32_t)next[3] << 24);
        crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF]
            ^ tables[4][low >> 24] ^ tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]]
            ^ tables[0][next[7]];
    }
    for (; length > 0; length--, next++) crc = crc >> 8 ^ tables[0][(crc ^ *next) & 0xFF];
    return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

// One instruction takes eight bytes, and the next can start only when it is done, although the
// processor could begin one in every cycle. So three stretches are checksummed in parallel and
// then joined: the first checksum is carried over as many zero bytes as the others have, and so on.
enum { lane_bytes = 1024 };

static uint32_t carried[4][256];
static pthread_once_t carried_once = PTHREAD_ONCE_INIT;

/// `carried[i][byte]` is what remains of `byte` in place `i` of a state after `lane_bytes` zeros.
__attribute__((target("sse4.2"))) static void make_carried(void) {
    uint32_t bits[32];
    for (int bit = 0; bit < 32; bit++) {
        uint64_t state = (uint64_t)1 << bit;
        for (int step = 0; step < lane_bytes / 8; step++) state = _mm_crc32_u64(state, 0);
        bits[bit] = (uint32_t)state;
    }
    for (int place = 0; place < 4; place++) {
        for (int byte = 0; byte < 256; byte++) {
            uint32_t sum = 0;
            for (int bit = 0; bit < 8; bit++)
                if (byte >> bit & 1) sum ^= bits[8 * place + bit];
            carried[place][byte] = sum;
        }
    }
}

static uint32_t carry(uint32_t state) {
    return carried[0][state & 0xFF] ^ carried[1][state >> 8 & 0xFF]
        ^ carried[2][state >> 16 & 0xFF] ^ carried[3][state >> 24];
}

static uint64_t word_at(const unsigned char *place) {
    uint64_t word;
    memcpy(&word, place, 8);
    return word;
}

__attribute__((target("sse4.2"))) static uint32_t crc32c_hardware(
    uint32_t crc, const unsigned char *next, size_t length) {
    uint64_t state = ~crc;
    if (length >= 3 * lane_bytes) pthread_once(&carried_once, make_carried);
    for (; length >= 3 * lane_bytes; length -= 3 * lane_bytes, next += 3 * lane_bytes) {
        uint64_t second = 0, third = 0;
        for (size_t place = 0; place < lane_bytes; place += 8) {
            state = _mm_crc32_u64(state, word_at(next + place));
            second = _mm_crc32_u64(second, word_at(next + lane_bytes + place));
            third = _mm_crc32_u64(third, word_at(next + 2 * lane_bytes + place));
        }
        state = carry(carry((uint32_t)state) ^ (uint32_t)second) ^ (uint32_t)third;
    }
    for (; length >= 8; length -= 8, next += 8) state = _mm_crc32_u64(state, word_at(next));
    uint32_t rest = (uint32_t)state;
    for (; length > 0; length--, next++) rest = _mm_crc32_u8(rest, *next);
    return ~rest;
}

uint32_t platform_crc32c(uint32_t crc, const void *bytes, size_t length) {
    if (__builtin_cpu_supports("sse4.2")) return crc32c_hardware(crc, bytes, length);
    return platform_crc32c_portable(crc, bytes, length);
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

uint32_t platform_crc32c(uint32_t crc, const void *bytes, size_t length) {
    const unsigned char *next = bytes;
    crc = ~crc;
    for (; length >= 8; length -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        crc = __crc32cd(crc, word);
    }
    for (; length > 0; length--, next++) crc = __crc32cb(crc, *next);
    return ~crc;
}
#else
uint32_t platform_crc32c(uint32_t crc, const void *bytes, size_t length) {
    return platform_crc32c_portable(crc, bytes, length);
}
#endif
