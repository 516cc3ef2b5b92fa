/* models/traffic_lights.coh by hand: lane 0 goes before the others, which are alike. */
#define empty   0
#define waiting 1
#define green   2

byte light[4] = empty;

/* Lanes 0 and 1 are one road, 2 and 3 the other. */
#define MAY_GO(l, a, b) (light[l] == waiting && light[a] != green && light[b] != green)

#define LANE(l) \
  :: d_step { light[l] == empty -> light[l] = waiting } \
  :: d_step { light[l] == green -> light[l] = empty }

active proctype all() {
  do
  LANE(0) LANE(1) LANE(2) LANE(3)
  :: d_step { MAY_GO(0, 2, 3) -> light[0] = green }
  :: d_step { MAY_GO(1, 2, 3) && !MAY_GO(0, 2, 3) -> light[1] = green }
  :: d_step { MAY_GO(2, 0, 1) && !MAY_GO(0, 2, 3) -> light[2] = green }
  :: d_step { MAY_GO(3, 0, 1) && !MAY_GO(0, 2, 3) -> light[3] = green }
  od
}
