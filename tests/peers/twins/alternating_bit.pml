/* models/alternating_bit.coh by hand. */
#define TICKETS 3

bit sent, sent_bit, answered, answered_bit, sender_bit, receiver_bit, wrong;
byte sent_item, sender_item;
byte received = TICKETS;

active proctype all() {
  do
  :: d_step { !sent -> sent = 1; sent_bit = sender_bit; sent_item = sender_item }
  :: d_step { answered && answered_bit == sender_bit ->
       answered = 0; answered_bit = 0; sender_bit = !sender_bit; sender_item = (sender_item + 1) % TICKETS }
  :: d_step { answered && answered_bit != sender_bit -> answered = 0; answered_bit = 0 }
  :: d_step { sent && sent_bit == receiver_bit && !answered ->
       wrong = wrong || (sent_item != (received + 1) % TICKETS && received != TICKETS);
       received = sent_item; answered_bit = sent_bit; receiver_bit = !receiver_bit; answered = 1;
       sent = 0; sent_bit = 0; sent_item = 0 }
  :: d_step { sent && sent_bit != receiver_bit && !answered ->
       answered_bit = sent_bit; answered = 1; sent = 0; sent_bit = 0; sent_item = 0 }
  :: d_step { sent -> sent = 0; sent_bit = 0; sent_item = 0 }
  :: d_step { answered -> answered = 0; answered_bit = 0 }
  od
}
