/* models/peterson_two.coh by hand: one step for each transition, nobody is ever anywhere but at the head of the loop. */
#define idle     0
#define flagged  1
#define waiting  2
#define critical 3
#define leaving  4
#define none     2

byte place[2] = idle;
bit flag[2];
bit crit[2];
byte turn = none;

#define STEPS(p, q) \
  :: d_step { place[p] == idle -> flag[p] = 1; place[p] = flagged } \
  :: d_step { place[p] == flagged -> turn = q; place[p] = waiting } \
  :: d_step { place[p] == waiting && (turn == p || !flag[q]) -> crit[p] = 1; place[p] = critical } \
  :: d_step { place[p] == critical -> crit[p] = 0; place[p] = leaving } \
  :: d_step { place[p] == leaving -> flag[p] = 0; place[p] = idle }

active proctype both() { do STEPS(0, 1) STEPS(1, 0) od }
