-- models/resource_controller.coh in Murphi: the same states, one rule firing for each transition of Cohort.
--
-- bench/peers replaces the constant N.  Clients with different priorities are not alike, so their type is
-- a plain range here; resource_controller_no_priority.m has a scalarset.
const
  N : 13;

type
  client_t : 0 .. N - 1;
  phase_t : 0 .. 2;  -- idle, waiting, holding

var
  lk : array [client_t] of phase_t;
  request : array [client_t] of boolean;
  reply : array [client_t] of boolean;
  lc : boolean;
  buzy : boolean;

-- Client 0 first, then the others.
function rank(k : client_t) : phase_t;
begin
  if k = 0 then
    return 0;
  else
    return 1;
  end;
end;

startstate
begin
  for k : client_t do
    lk[k] := 0;
    request[k] := false;
    reply[k] := false;
  end;
  lc := false;
  buzy := false;
end;

ruleset k : client_t do

  rule "grant"
    !lc & request[k] & !reply[k] &
    forall j : client_t do request[j] & !reply[j] -> rank(j) >= rank(k) end ==>
  begin
    reply[k] := true;
    buzy := true;
    lc := true;
  end;

  rule "ask" lk[k] = 0 ==>
  begin
    request[k] := true;
    lk[k] := 1;
  end;

  rule "take" lk[k] = 1 & reply[k] ==>
  begin
    lk[k] := 2;
  end;

  rule "release" lk[k] = 2 & reply[k] ==>
  begin
    reply[k] := false;
    request[k] := false;
    buzy := false;
    lk[k] := 0;
  end;

end;

rule "reclaim" lc & !buzy ==>
begin
  lc := false;
end;

invariant "mutex"
  forall j : client_t do
    forall k : client_t do
      j != k -> !(lk[j] = 2 & lk[k] = 2)
    end
  end;
