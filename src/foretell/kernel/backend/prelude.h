/* What the translated functions (c_source.py) need.  No header, no library: this also compiles to WebAssembly, and with
 * nvcc to device functions.
 *
 * Compile with -ffp-contract=off, and never with -ffast-math: floats must have the same bits as in Python. */
typedef long long i64;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;

#if defined(__CUDACC__)
#define FN __device__ static inline
#define INLINED __device__ static __forceinline__
#define RESTRICT __restrict__
#elif defined(_MSC_VER) && !defined(__clang__)
#error "compile the kernel with gcc, clang or zig"
#else
#define FN static inline __attribute__((unused))
#define INLINED static inline __attribute__((always_inline, unused))
#define RESTRICT __restrict
#endif

/* Bits. */
#if defined(__CUDACC__)
FN i64 popcount(i64 m) { return __popcll(m); }
FN i64 lowest(i64 m) { return __ffsll(m) - 1; }
#else
#if defined(__POPCNT__) || !defined(__x86_64__)
INLINED i64 popcount(i64 m) { return __builtin_popcountll((u64)m); }
#else
/* Without the instruction, a compiler would call a function of its own library. */
INLINED i64 popcount(i64 m) {
  u64 n = (u64)m;
  n = n - ((n >> 1) & 0x5555555555555555ULL);
  n = (n & 0x3333333333333333ULL) + ((n >> 2) & 0x3333333333333333ULL);
  n = (n + (n >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return (i64)((n * 0x0101010101010101ULL) >> 56);
}
#endif
INLINED i64 lowest(i64 m) { return __builtin_ctzll((u64)m); }
#endif
#if defined(__BMI2__) && defined(__x86_64__) && !defined(__CUDACC__)
INLINED i64 kth(i64 m, i64 k) { return lowest((i64)__builtin_ia32_pdep_di(1ULL << k, (u64)m)); }
#else
FN i64 kth(i64 m, i64 k) {
  while (k-- > 0) m &= m - 1;
  return lowest(m);
}
#endif

/* Whole numbers.  As in Python, a quotient is rounded down, and a remainder has the sign of the divisor. */
INLINED i64 product(i64 a, i64 b) { return (i64)((u64)a * (u64)b); }
INLINED i64 quotient(i64 a, i64 b) {
  if (b == 0) return 0;
  i64 q = a / b;
  return q - (((a % b) != 0) & ((a ^ b) < 0));
}
INLINED i64 remainder_of(i64 a, i64 b) {
  if (b == 0) return 0;
  i64 r = a % b;
  return r + ((r != 0) & ((a ^ b) < 0) ? b : 0);
}
INLINED i64 least(i64 a, i64 b) { return b < a ? b : a; }
INLINED i64 most(i64 a, i64 b) { return b > a ? b : a; }
INLINED i64 size(i64 a) { return a < 0 ? -a : a; }

/* Floats. */
INLINED double least_float(double a, double b) { return b < a ? b : a; }
INLINED double most_float(double a, double b) { return b > a ? b : a; }
INLINED double size_float(double a) { return a < 0 ? -a : a; }
#if defined(__CUDACC__)
FN double square_root(double x) { return sqrt(x); }
#else
INLINED double square_root(double x) { return __builtin_sqrt(x); }
#endif
typedef union {
  double number;
  u64 bits;
} word;
/* x times 2 to the power of k; the result must be a normal number. */
INLINED double scaled(double x, i64 k) {
  word two;
  two.bits = (u64)(k + 1023) << 52;
  return x * two.number;
}
/* The k for which x / 2^k is at least 1/2 and less than 1; x must be a normal number above 0. */
INLINED i64 exponent(double x) {
  word of;
  of.number = x;
  return (i64)((of.bits >> 52) & 2047) - 1022;
}

/* The layers of a net.  add_rows8 and add_rows16 add rows of a matrix, each times a factor, to the sums in `desk`.  The
 * matrix begins at `start` and has `width` columns, a multiple of 16 for add_rows8.  From desk[inputs] on there are
 * `count` pairs: a row, and its factor of at most 16 bits.  Four rows are added at once, in a function of its own:
 * a compiler multiplies many weights at once only where no pointer can point into what another one points to. */
#if defined(__CUDACC__)
#define APART __device__ static
#elif defined(WITH_AVX2)
#define APART static __attribute__((noinline, unused, target("avx2")))
#else
#define APART static __attribute__((noinline, unused))
#endif
#define FOUR_ROWS(NAME, WEIGHT)                                                                           \
  APART void NAME(i32* RESTRICT sums, const WEIGHT* RESTRICT a, const WEIGHT* RESTRICT b,                  \
                  const WEIGHT* RESTRICT c, const WEIGHT* RESTRICT d, const i32* RESTRICT factors,         \
                  i32 width) {                                                                            \
    const i16 of_a = (i16)factors[0], of_b = (i16)factors[1];                                             \
    const i16 of_c = (i16)factors[2], of_d = (i16)factors[3];                                             \
    for (i32 j = 0; j < width; j++) sums[j] += a[j] * of_a + b[j] * of_b + c[j] * of_c + d[j] * of_d;      \
  }
FOUR_ROWS(four_rows16, i16)
#if defined(WITH_AVX2) && (defined(__clang__) || __GNUC__ >= 12) /* older ones have no __builtin_shufflevector */
/* Three times as fast as what a compiler makes of the loop: one instruction multiplies 16 weights of two rows, whose
 * bytes are interleaved, and adds them in pairs. */
typedef i16 shorts16 __attribute__((vector_size(32)));
typedef i32 words8 __attribute__((vector_size(32)));
#if defined(__clang__)
typedef i8 bytes16 __attribute__((vector_size(16)));
#define WIDENED(bytes) __builtin_convertvector(bytes, shorts16)
#else
typedef char bytes16 __attribute__((vector_size(16)));
#define WIDENED(bytes) __builtin_ia32_pmovsxbw256(bytes)
#endif
#define LOW_HALVES(a, b) \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_HALVES(a, b) \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define TIMES(bytes, factors) __builtin_ia32_pmaddwd256(WIDENED(bytes), factors)
APART void four_rows8(i32* RESTRICT sums, const i8* RESTRICT a, const i8* RESTRICT b, const i8* RESTRICT c,
                      const i8* RESTRICT d, const i32* RESTRICT factors, i32 width) {
  const i32 ab = (factors[0] & 0xFFFF) | (i32)((u64)factors[1] << 16);
  const i32 cd = (factors[2] & 0xFFFF) | (i32)((u64)factors[3] << 16);
  const shorts16 of_ab = (shorts16)(words8){ab, ab, ab, ab, ab, ab, ab, ab};
  const shorts16 of_cd = (shorts16)(words8){cd, cd, cd, cd, cd, cd, cd, cd};
  for (i32 j = 0; j < width; j += 16) {
    bytes16 w, x, y, z;
    words8 low, high;
    __builtin_memcpy(&w, a + j, 16);
    __builtin_memcpy(&x, b + j, 16);
    __builtin_memcpy(&y, c + j, 16);
    __builtin_memcpy(&z, d + j, 16);
    __builtin_memcpy(&low, sums + j, 32);
    __builtin_memcpy(&high, sums + j + 8, 32);
    low += TIMES(LOW_HALVES(w, x), of_ab) + TIMES(LOW_HALVES(y, z), of_cd);
    high += TIMES(HIGH_HALVES(w, x), of_ab) + TIMES(HIGH_HALVES(y, z), of_cd);
    __builtin_memcpy(sums + j, &low, 32);
    __builtin_memcpy(sums + j + 8, &high, 32);
  }
}
#elif defined(__wasm_simd128__)
/* The same with eight weights at once. */
typedef i8 bytes8 __attribute__((vector_size(8)));
typedef i16 shorts8 __attribute__((vector_size(16)));
typedef i32 words4 __attribute__((vector_size(16)));
#define WIDENED(bytes) __builtin_convertvector(bytes, shorts8)
#define LOW_HALVES(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_HALVES(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define TIMES(shorts, factors) __builtin_wasm_dot_s_i32x4_i16x8(shorts, factors)
APART void four_rows8(i32* RESTRICT sums, const i8* RESTRICT a, const i8* RESTRICT b, const i8* RESTRICT c,
                      const i8* RESTRICT d, const i32* RESTRICT factors, i32 width) {
  const i32 ab = (factors[0] & 0xFFFF) | (i32)((u64)factors[1] << 16);
  const i32 cd = (factors[2] & 0xFFFF) | (i32)((u64)factors[3] << 16);
  const shorts8 of_ab = (shorts8)(words4){ab, ab, ab, ab}, of_cd = (shorts8)(words4){cd, cd, cd, cd};
  for (i32 j = 0; j < width; j += 8) {
    bytes8 w, x, y, z;
    words4 low, high;
    __builtin_memcpy(&w, a + j, 8);
    __builtin_memcpy(&x, b + j, 8);
    __builtin_memcpy(&y, c + j, 8);
    __builtin_memcpy(&z, d + j, 8);
    __builtin_memcpy(&low, sums + j, 16);
    __builtin_memcpy(&high, sums + j + 4, 16);
    const shorts8 wide_w = WIDENED(w), wide_x = WIDENED(x), wide_y = WIDENED(y), wide_z = WIDENED(z);
    low += TIMES(LOW_HALVES(wide_w, wide_x), of_ab) + TIMES(LOW_HALVES(wide_y, wide_z), of_cd);
    high += TIMES(HIGH_HALVES(wide_w, wide_x), of_ab) + TIMES(HIGH_HALVES(wide_y, wide_z), of_cd);
    __builtin_memcpy(sums + j, &low, 16);
    __builtin_memcpy(sums + j + 4, &high, 16);
  }
}
#else
FOUR_ROWS(four_rows8, i8)
#endif
#define ADD_ROWS(NAME, FOUR, WEIGHT)                                                                      \
  FN void NAME(i32* desk, const WEIGHT* weights, i64 start, i64 width, i64 sums, i64 inputs, i64 count) {  \
    for (i64 k = 0; k < count; k += 4) {                                                                  \
      const WEIGHT* rows[4];                                                                              \
      i32 factors[4];                                                                                     \
      for (i64 n = 0; n < 4; n++) {                                                                       \
        const i64 is_one = k + n < count; /* the last four may be fewer: row 0 times 0 fills them up */   \
        rows[n] = weights + start + (is_one ? desk[inputs + 2 * (k + n)] * width : 0);                    \
        factors[n] = is_one ? desk[inputs + 2 * (k + n) + 1] : 0;                                         \
      }                                                                                                   \
      FOUR(desk + sums, rows[0], rows[1], rows[2], rows[3], factors, (i32)width);                         \
    }                                                                                                     \
  }
ADD_ROWS(add_rows8, four_rows8, i8)
ADD_ROWS(add_rows16, four_rows16, i16)

/* What a library shows.  LEVEL ends the names, so that one library can hold the functions for several CPUs. */
#ifdef WITH_ENTRIES
#ifndef LEVEL
#define LEVEL
#endif
#define JOINED(a, b) a##b
#define WITH_LEVEL(name, level) JOINED(name, level)
#define NAMED(name) WITH_LEVEL(foretell_##name, LEVEL)
#if defined(_WIN32)
#define ENTRY __declspec(dllexport)
#else
#define ENTRY __attribute__((visibility("default")))
#endif
#endif

