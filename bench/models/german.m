-- models/german.coh in Murphi: the same states, one rule firing for each transition of Cohort.
--
--   rumur --output german.c german.m && gcc -O3 -march=native -std=c11 -o german german.c -lpthread && ./german
--
-- bench/peers replaces the constants below.  The type of caches is a scalarset, so that rumur can reduce by
-- symmetry; `--symmetry-reduction=off` makes it explore every state.
const
  N : 3;
  VALUES : 2;

type
  cache_t : scalarset(N);
  value_t : 0 .. VALUES - 1;
  copy_t : enum { invalid, shared, exclusive };
  request_t : enum { no_request, want_shared, want_exclusive };
  order_t : enum { no_order, recall, grant_shared, grant_exclusive };

var
  state : array [cache_t] of copy_t;
  copied : array [cache_t] of value_t;
  chan1 : array [cache_t] of request_t;
  chan2 : array [cache_t] of order_t;
  value2 : array [cache_t] of value_t;
  chan3 : array [cache_t] of boolean;
  value3 : array [cache_t] of value_t;

  serving : request_t;
  client : cache_t;  -- undefined: none
  may_have : array [cache_t] of boolean;
  to_recall : array [cache_t] of boolean;
  exclusive_out : boolean;
  memory : value_t;

  latest : value_t;

startstate
begin
  for c : cache_t do
    state[c] := invalid;
    copied[c] := 0;
    chan1[c] := no_request;
    chan2[c] := no_order;
    value2[c] := 0;
    chan3[c] := false;
    value3[c] := 0;
    may_have[c] := false;
    to_recall[c] := false;
  end;
  serving := no_request;
  undefine client;
  exclusive_out := false;
  memory := 0;
  latest := 0;
end;

ruleset c : cache_t do

  rule "ask_shared" chan1[c] = no_request & state[c] = invalid ==>
  begin
    chan1[c] := want_shared;
  end;

  rule "ask_exclusive" chan1[c] = no_request & state[c] != exclusive ==>
  begin
    chan1[c] := want_exclusive;
  end;

  rule "get_shared" chan2[c] = grant_shared ==>
  begin
    state[c] := shared;
    copied[c] := value2[c];
    chan2[c] := no_order;
    value2[c] := 0;
  end;

  rule "get_exclusive" chan2[c] = grant_exclusive ==>
  begin
    state[c] := exclusive;
    copied[c] := value2[c];
    chan2[c] := no_order;
    value2[c] := 0;
  end;

  rule "give_back" chan2[c] = recall & !chan3[c] ==>
  begin
    chan2[c] := no_order;
    chan3[c] := true;
    if state[c] = exclusive then
      value3[c] := copied[c];
    else
      value3[c] := 0;
    end;
    state[c] := invalid;
    copied[c] := 0;
  end;

  rule "store" state[c] = exclusive ==>
  begin
    copied[c] := (copied[c] + 1) % VALUES;
    latest := copied[c];
  end;

  rule "serve" serving = no_request & chan1[c] != no_request ==>
  begin
    serving := chan1[c];
    client := c;
    chan1[c] := no_request;
    for d : cache_t do
      to_recall[d] := may_have[d];
    end;
  end;

  rule "send_recall"
    (serving = want_exclusive | (serving = want_shared & exclusive_out)) & to_recall[c] &
    chan2[c] = no_order ==>
  begin
    chan2[c] := recall;
    to_recall[c] := false;
  end;

  rule "take_back" serving != no_request & chan3[c] ==>
  begin
    if exclusive_out then
      memory := value3[c];
    end;
    exclusive_out := false;
    chan3[c] := false;
    value3[c] := 0;
    may_have[c] := false;
  end;

end;

rule "send_shared" serving = want_shared & !exclusive_out & chan2[client] = no_order ==>
begin
  chan2[client] := grant_shared;
  value2[client] := memory;
  may_have[client] := true;
  serving := no_request;
  undefine client;
end;

rule "send_exclusive"
  serving = want_exclusive & !exclusive_out & chan2[client] = no_order &
  forall d : cache_t do !may_have[d] end ==>
begin
  chan2[client] := grant_exclusive;
  value2[client] := memory;
  may_have[client] := true;
  exclusive_out := true;
  serving := no_request;
  undefine client;
end;

invariant "control"
  forall c : cache_t do
    forall d : cache_t do
      c != d & state[c] = exclusive -> state[d] = invalid
    end
  end;
