/* What `foretell bench` runs on a GPU: every thread plays its own games at random, from the first deal to the end.
 *
 * Appended to the translated kernel.  nvcc reads it as CUDA.  A C compiler reads it as a program that plays the same
 * games one after another, so that it can be tested where there is no GPU.
 *
 *     PROGRAM LOOKUP THREADS GAMES
 *
 * prints the number of decisions, a sum over the ends of all games, and the seconds of the best of three turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM (STATE_WORDS + RNG_WORDS + DECK_WORDS)
#define SEED 1

/* After each game its scores and the random numbers' state go into the sum: both hang on all that was played. */
FN void play_own(i64* lookup, i64* room, u64* found, i64 thread, i64 games) {
  i64* state = room + thread * ROOM;
  i64* rng = state + STATE_WORDS;
  u64 decisions = 0, sum = 0;
  for (i64 game = 0; game < games; game++) {
    decisions += kernel_random_games(lookup, state, rng, rng + RNG_WORDS, SEED, thread * games + game, 1);
    for (i64 seat = 0; seat < lookup[PLAYERS]; seat++) sum = sum * 31 + (u64)state[SCORE + seat];
    for (i64 word = 0; word < RNG_WORDS; word++) sum = sum * 31 + (u64)rng[word];
  }
  found[2 * thread] = decisions;
  found[2 * thread + 1] = sum;
}

#ifdef __CUDACC__
#define IN_BLOCK 128
static void sure(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}
__global__ static void play_block(i64* lookup, i64* room, u64* found, i64 threads, i64 games) {
  i64 thread = blockIdx.x * (i64)blockDim.x + threadIdx.x;
  if (thread < threads) play_own(lookup, room, found, thread, games);
}
static void play_all(i64* lookup, i64* room, u64* found, i64 threads, i64 games) {
  play_block<<<(threads + IN_BLOCK - 1) / IN_BLOCK, IN_BLOCK>>>(lookup, room, found, threads, games);
  sure(cudaGetLastError());
  sure(cudaDeviceSynchronize());
}
static void* words(i64 count) {
  void* memory = 0;
  sure(cudaMalloc(&memory, count * sizeof(i64)));
  return memory;
}
static void copy(void* to, const void* from, i64 count) {
  sure(cudaMemcpy(to, from, count * sizeof(i64), cudaMemcpyDefault));
}
#else
static void play_all(i64* lookup, i64* room, u64* found, i64 threads, i64 games) {
  for (i64 thread = 0; thread < threads; thread++) play_own(lookup, room, found, thread, games);
}
static void* words(i64 count) {
  void* memory = malloc(count * sizeof(i64));
  if (memory) return memory;
  fprintf(stderr, "out of memory\n");
  exit(1);
}
static void copy(void* to, const void* from, i64 count) { memcpy(to, from, count * sizeof(i64)); }
#endif

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int count, char** given) {
  if (count != 4) return 2;
  i64 threads = atoll(given[2]), games = atoll(given[3]);
  FILE* file = fopen(given[1], "rb");
  if (!file) return 2;
  fseek(file, 0, SEEK_END);
  i64 size = ftell(file) / (i64)sizeof(i64);
  rewind(file);
  i64* read = (i64*)malloc(size * sizeof(i64));
  u64* back = (u64*)malloc(threads * 2 * sizeof(u64));
  if (!read || !back || (i64)fread(read, sizeof(i64), size, file) != size) return 2;
  fclose(file);
  i64 *lookup = (i64*)words(size), *room = (i64*)words(threads * ROOM);
  u64* found = (u64*)words(threads * 2);
  copy(lookup, read, size);
  double best = 0;
  for (int turn = 0; turn < 3; turn++) {
    double began = now();
    play_all(lookup, room, found, threads, games);
    double lasted = now() - began;
    if (!turn || lasted < best) best = lasted;
  }
  copy(back, found, threads * 2);
  u64 decisions = 0, sum = 0;
  for (i64 thread = 0; thread < threads; thread++) {
    decisions += back[2 * thread];
    sum += back[2 * thread + 1];
  }
  printf("%llu %llu %.9f\n", decisions, sum, best);
  return 0;
}
