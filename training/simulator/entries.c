/* The functions that Python calls: many tables in one call.  Appended to the translated kernel; read as C and as CUDA.

   A table's own words lie one after another in `room`: table, state, rng, deck, scratch.
   `rules` has three words for each rule set: where its lookup tables and its policy words begin in `blob`, and its
   traits. */

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define ENTRY extern "C"
#define KERNEL __global__ static
#else
#include <stdint.h>
#define ENTRY
#define KERNEL static
#endif

typedef struct {
  i64* blob;
  i64* rules;
  i64* draws;
  i64* settings;
  i64* room;
  i64* words;            /* CRITIC_WORDS for each table */
  unsigned char* action; /* the net's answers */
  unsigned char* seat;   /* who decides next */
  unsigned char* phase;
  unsigned char* player; /* LEARNER, FROZEN, or 255 when the game is over */
  unsigned char* ended;  /* since the last decision: ROUND_ENDED, CARDS_EXCHANGED */
  short* points;         /* SEATS for each table */
} Tables;

FN void play_on(Tables t, i64 i, i64 is_first) {
  i64* table = t.room + i * ROOM_WORDS;
  i64* state = table + TABLE_WORDS;
  i64* rng = state + STATE_WORDS;
  i64* deck = rng + RNG_WORDS;
  i64* scratch = deck + DECK_WORDS;
  i64 outcome[OUTCOME_WORDS];
  i64* rule = t.rules + 3 * table[RULES_AT];
  for (int k = 0; k < OUTCOME_WORDS; k++) outcome[k] = 0;
  if (is_first) {
    kernel_begin_table(t.blob + rule[0], state, rng, deck, t.settings, table);
  } else if (state[PHASE_AT] < DEALING_PHASE) {
    kernel_take_action(t.blob + rule[0], state, scratch, table, outcome, t.action[i]);
  }
  i64 waits = kernel_go_on(t.blob + rule[0], state, rng, deck, t.blob + rule[1], t.settings, table, scratch, outcome);
  while (!waits && t.settings[IS_TRAINING_AT]) {
    kernel_draw_rules(t.settings, t.draws, rng, table);
    rule = t.rules + 3 * table[RULES_AT];
    kernel_begin_table(t.blob + rule[0], state, rng, deck, t.settings, table);
    waits = kernel_go_on(t.blob + rule[0], state, rng, deck, t.blob + rule[1], t.settings, table, scratch, outcome);
  }
  t.ended[i] = (unsigned char)((outcome[0] ? ROUND_ENDED : 0) | (outcome[HAS_EXCHANGED] ? CARDS_EXCHANGED : 0));
  for (int k = 0; k < SEATS; k++) t.points[i * SEATS + k] = (short)outcome[1 + k];
  t.seat[i] = (unsigned char)state[TURN_AT];
  t.phase[i] = (unsigned char)state[PHASE_AT];
  t.player[i] = waits ? (unsigned char)table[SEAT_KIND_AT + state[TURN_AT]] : 255;
  if (waits) kernel_observe_all(t.blob + rule[0], state, rule[2], scratch, t.words + i * CRITIC_WORDS);
}

FN void draw_first(Tables t, i64 i) {
  i64* table = t.room + i * ROOM_WORDS;
  kernel_draw_rules(t.settings, t.draws, table + TABLE_WORDS + STATE_WORDS, table);
}

/* Bits as numbers: 64 columns for each of the first `count` words of a row. */
#ifdef __CUDACC__
KERNEL void play_tables(Tables t, i64 count, i64 is_first) {
  i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
  if (i < count) play_on(t, i, is_first);
}
KERNEL void draw_tables(Tables t, i64 count) {
  i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
  if (i < count) draw_first(t, i);
}
/* One thread makes eight columns; rows may be picked by `which`. */
KERNEL void expand_rows(const unsigned char* words, const i64* which, i64 rows, i64 bytes, uint4* out) {
  i64 g = blockIdx.x * (i64)blockDim.x + threadIdx.x;
  if (g >= rows * bytes) return;
  i64 row = g / bytes, b = g - row * bytes, from = which ? which[row] : row;
  unsigned v = words[from * CRITIC_WORDS * 8 + b], o[4];
  for (int k = 0; k < 4; k++)
    o[k] = ((v >> (2 * k)) & 1 ? 0x3F80u : 0) | ((v >> (2 * k + 1)) & 1 ? 0x3F800000u : 0);
  out[g] = make_uint4(o[0], o[1], o[2], o[3]);
}
#define STREAM ((cudaStream_t)stream)
ENTRY void tables_draw(Tables t, i64 count, void* stream) {
  draw_tables<<<(count + 127) / 128, 128, 0, STREAM>>>(t, count);
}
ENTRY void tables_play(Tables t, i64 count, i64 is_first, void* stream) {
  play_tables<<<(count + 127) / 128, 128, 0, STREAM>>>(t, count, is_first);
}
ENTRY void tables_expand(const unsigned char* words, const i64* which, i64 rows, i64 count, void* out, void* stream) {
  i64 all = rows * count * 8;
  expand_rows<<<(all + 255) / 256, 256, 0, STREAM>>>(words, which, rows, count * 8, (uint4*)out);
}
ENTRY int tables_error(void) { return (int)cudaGetLastError(); }
#else
ENTRY void tables_draw(Tables t, i64 count, void* stream) {
  for (i64 i = 0; i < count; i++) draw_first(t, i);
}
ENTRY void tables_play(Tables t, i64 count, i64 is_first, void* stream) {
  for (i64 i = 0; i < count; i++) play_on(t, i, is_first);
}
/* As bf16 numbers, by their bits. */
ENTRY void tables_expand(const unsigned char* words, const i64* which, i64 rows, i64 count, void* out, void* stream) {
  uint16_t* to = (uint16_t*)out;
  for (i64 row = 0; row < rows; row++) {
    const unsigned char* from = words + (which ? which[row] : row) * CRITIC_WORDS * 8;
    for (i64 b = 0; b < count * 64; b++) *to++ = from[b >> 3] >> (b & 7) & 1 ? 0x3F80 : 0;
  }
}
ENTRY int tables_error(void) { return 0; }
#endif
