/* models/resource_controller.coh in Promela: the same states, one step for each transition of Cohort.
 *
 *   spin -a -DN=16 resource_controller.pml && gcc -O3 -DSAFETY -DNOREDUCE -DNOFAIR -o pan pan.c && ./pan -m2000000
 *
 * -DPRIORITY=0 leaves the priorities out: models/resource_controller_no_priority.coh.
 *
 * One process does everything and is never anywhere but at the head of its loop, so that a state consists
 * of the variables only.  Promela cannot choose over an index, so the options of each client are written
 * out by the preprocessor.
 */
#ifndef N
#define N 13
#endif
#ifndef PRIORITY
#define PRIORITY 1
#endif

byte lk[N];  /* 0: idle, 1: waiting, 2: holding */
bit request[N];
bit reply[N];
bit lc = 0;
bit buzy = 0;

/* EACH(M): M(0) M(1) … M(N-1) */
#define UPTO_4(M) M(0) M(1) M(2) M(3)
#define UPTO_8(M) UPTO_4(M) M(4) M(5) M(6) M(7)
#define UPTO_12(M) UPTO_8(M) M(8) M(9) M(10) M(11)
#define UPTO_16(M) UPTO_12(M) M(12) M(13) M(14) M(15)
#if N == 4
#define EACH(M) UPTO_4(M)
#elif N == 5
#define EACH(M) UPTO_4(M) M(4)
#elif N == 6
#define EACH(M) UPTO_4(M) M(4) M(5)
#elif N == 7
#define EACH(M) UPTO_4(M) M(4) M(5) M(6)
#elif N == 8
#define EACH(M) UPTO_8(M)
#elif N == 9
#define EACH(M) UPTO_8(M) M(8)
#elif N == 10
#define EACH(M) UPTO_8(M) M(8) M(9)
#elif N == 11
#define EACH(M) UPTO_8(M) M(8) M(9) M(10)
#elif N == 12
#define EACH(M) UPTO_12(M)
#elif N == 13
#define EACH(M) UPTO_12(M) M(12)
#elif N == 14
#define EACH(M) UPTO_12(M) M(12) M(13)
#elif N == 15
#define EACH(M) UPTO_12(M) M(12) M(13) M(14)
#elif N == 16
#define EACH(M) UPTO_16(M)
#elif N == 17
#define EACH(M) UPTO_16(M) M(16)
#elif N == 18
#define EACH(M) UPTO_16(M) M(16) M(17)
#elif N == 19
#define EACH(M) UPTO_16(M) M(16) M(17) M(18)
#elif N == 20
#define EACH(M) UPTO_16(M) M(16) M(17) M(18) M(19)
#endif

#define ASKS(i) (request[i] && !reply[i])

/* Client 0 first, then the others. */
#if PRIORITY == 0
#define PRECEDED(i) 0
#else
#define PRECEDED(i) (i > 0 && ASKS(0))
#endif

#define PLUS_HOLDER(i) + (lk[i] == 2)

#define OPTIONS(i) \
  :: d_step { !lc && ASKS(i) && !PRECEDED(i) -> reply[i] = 1; buzy = 1; lc = 1 } \
  :: d_step { lk[i] == 0 -> request[i] = 1; lk[i] = 1 } \
  :: d_step { lk[i] == 1 && reply[i] -> lk[i] = 2 } \
  :: d_step { lk[i] == 2 && reply[i] -> \
       reply[i] = 0; request[i] = 0; buzy = 0; lk[i] = 0 }

active proctype resource_controller() {
  do
  EACH(OPTIONS)
  :: d_step { lc && !buzy -> lc = 0 }
  /* the property `one_holder` */
  :: d_step { (0 EACH(PLUS_HOLDER)) > 1 -> assert(false) }
  od
}
