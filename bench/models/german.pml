/* models/german.coh in Promela: the same states, one step for each transition of Cohort.
 *
 *   spin -a -DN=4 german.pml && gcc -O3 -DSAFETY -DNOREDUCE -DNOFAIR -o pan pan.c && ./pan -m5000000 -w24
 *
 * One process does everything: it is never anywhere but at the head of its loop, so that a state consists
 * of the variables only.  Promela cannot choose over an index, so the options of each cache are written
 * out by the preprocessor.  The fields of a cache are bit fields, which makes the state vector smallest.
 */
#ifndef N
#define N 3
#endif
#ifndef VALUES
#define VALUES 2
#endif

#define invalid   0
#define shared    1
#define exclusive 2

#define no_request     0
#define want_shared    1
#define want_exclusive 2

#define no_order        0
#define recall          1
#define grant_shared    2
#define grant_exclusive 3

#define none N

typedef Cache {
  unsigned state : 2;
  unsigned chan1 : 2;
  unsigned chan2 : 2;
  bit chan3;
  bit may_have;
  bit to_recall;
  unsigned copied : 2;
  unsigned value2 : 2;
  unsigned value3 : 2
};

Cache c[N];
unsigned serving : 2 = no_request;
unsigned client : 4 = none;
bit exclusive_out = 0;
unsigned memory : 2 = 0;
unsigned latest : 2 = 0;

#if N == 1
#define EACH(M) M(0)
#elif N == 2
#define EACH(M) M(0) M(1)
#elif N == 3
#define EACH(M) M(0) M(1) M(2)
#elif N == 4
#define EACH(M) M(0) M(1) M(2) M(3)
#elif N == 5
#define EACH(M) M(0) M(1) M(2) M(3) M(4)
#elif N == 6
#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5)
#elif N == 7
#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6)
#elif N == 8
#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#endif

#define COPY_BOOK(i) c[i].to_recall = c[i].may_have;
#define AND_NOT_OUT(i) && !c[i].may_have
#define PLUS_WRITER(i) + (c[i].state == exclusive)
#define PLUS_READER(i) + (c[i].state == shared)

inline copy_books() { EACH(COPY_BOOK) }

#define OPTIONS(i) \
  :: d_step { c[i].chan1 == no_request && c[i].state == invalid -> c[i].chan1 = want_shared } \
  :: d_step { c[i].chan1 == no_request && c[i].state != exclusive -> c[i].chan1 = want_exclusive } \
  :: d_step { c[i].chan2 == grant_shared -> \
       c[i].state = shared; c[i].copied = c[i].value2; c[i].chan2 = no_order; c[i].value2 = 0 } \
  :: d_step { c[i].chan2 == grant_exclusive -> \
       c[i].state = exclusive; c[i].copied = c[i].value2; c[i].chan2 = no_order; c[i].value2 = 0 } \
  :: d_step { c[i].chan2 == recall && !c[i].chan3 -> \
       c[i].chan2 = no_order; c[i].chan3 = 1; \
       c[i].value3 = (c[i].state == exclusive -> c[i].copied : 0); \
       c[i].state = invalid; c[i].copied = 0 } \
  :: d_step { c[i].state == exclusive -> \
       c[i].copied = (c[i].copied + 1) % VALUES; latest = c[i].copied } \
  :: d_step { serving == no_request && c[i].chan1 != no_request -> \
       serving = c[i].chan1; client = i; c[i].chan1 = no_request; copy_books() } \
  :: d_step { (serving == want_exclusive || serving == want_shared && exclusive_out) && \
              c[i].to_recall && c[i].chan2 == no_order -> \
       c[i].chan2 = recall; c[i].to_recall = 0 } \
  :: d_step { serving != no_request && c[i].chan3 -> \
       memory = (exclusive_out -> c[i].value3 : memory); exclusive_out = 0; \
       c[i].chan3 = 0; c[i].value3 = 0; c[i].may_have = 0 }

active proctype german() {
  do
  EACH(OPTIONS)
  :: d_step { serving == want_shared && !exclusive_out && c[client].chan2 == no_order ->
       c[client].chan2 = grant_shared; c[client].value2 = memory; c[client].may_have = 1;
       serving = no_request; client = none }
  :: d_step { serving == want_exclusive && !exclusive_out && c[client].chan2 == no_order EACH(AND_NOT_OUT) ->
       c[client].chan2 = grant_exclusive; c[client].value2 = memory; c[client].may_have = 1;
       exclusive_out = 1; serving = no_request; client = none }
  /* the property `control`: an exclusive copy is the only copy */
  :: d_step { (0 EACH(PLUS_WRITER)) > 0 && (0 EACH(PLUS_WRITER) EACH(PLUS_READER)) > 1 -> assert(false) }
  od
}
