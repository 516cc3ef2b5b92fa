"""Finite words, loops and history, straight from the definition: slow, and too simple to be wrong.

A formula is made as text and as a tree at once.  What reads the text is the program under test; this file
evaluates the tree, with fractions, on a list of states.  What divides by zero is found by faults().
"""

from fractions import Fraction

VARS=['x','y','z']
def rnum(r):
    k=r.random()
    if k<.6: return str(r.randint(-3,3))
    if k<.85: return f'{r.randint(-2,2)}.{r.choice(["5","25","50","0"])}'
    return r.choice(['100000000000000000000','-99999999999','1e1','0.0000001'])
def term(r,hist,depth=0,divide=True):
    k=r.random()
    if depth>1 or k<.5:
        v=r.choice(VARS)
        if hist and r.random()<.6:
            h=r.choice(['?T','?C','?0','?1','?2','?1?T','?2?T','?1?C','?2?C'])
            return v+h,('h',v,h)
        if r.random()<.05: return 'time',('v','time')
        return v,('v',v)
    if k<.7:
        c=r.choice(['0','1','2','1.5','3','0.25']); return c,('c',Fraction(c))
    o=r.choice('+-*+-/%' if divide else '+-*')
    a,A=term(r,hist,depth+1,divide); b,B=term(r,hist,depth+1,divide)
    return f'({a} {o} {b})',(o,A,B)
def has_variable(t):
    return t[0] in 'vh' or t[0] in '+-*/%' and (has_variable(t[1]) or has_variable(t[2]))
def atom(r,hist,divide=True):
    while True:
        a,A=term(r,hist,0,divide); b,B=term(r,hist,0,divide)
        if not has_variable(A) and not has_variable(B): continue
        o=r.choice(['=','!=','<','<=','>','>='])
        return f'{a} {o} {b}',('a',o,A,B)
def divides(t):
    return t[0] in '/%' or t[0] in '+-*' and (divides(t[1]) or divides(t[2]))
def bform(r,hist,d=0,divide=True):
    k=r.random()
    if d>1 or k<.6:
        a,A=atom(r,hist,divide)
        if (divides(A[2]) or divides(A[3])) and r.random()<.7:  # as people write it
            g,G=atom(r,hist,False)
            o=r.choice(['&','|']); return f'({g} {o} {a})',(o,G,A)
        return a,A
    if k<.75:
        a,A=bform(r,hist,d+1,divide); return f'!({a})',('!',A)
    o=r.choice('&|'); a,A=bform(r,hist,d+1,divide); b,B=bform(r,hist,d+1,divide)
    return f'({a} {o} {b})',(o,A,B)
def rx(r,hist,d=0):
    k=r.random()
    if d>2 or k<.35:
        a,A=bform(r,hist,1,False); return f'({a})',('c',A)
    if k<.55:
        a,A=rx(r,hist,d+1);b,B=rx(r,hist,d+1); return f'({a} ; {b})',(';',A,B)
    if k<.62:
        a,A=rx(r,hist,d+1);b,B=rx(r,hist,d+1); return f'({a} : {b})',(':',A,B)
    if k<.72:
        a,A=rx(r,hist,d+1);b,B=rx(r,hist,d+1); return f'({a} | {b})',('|',A,B)
    if k<.8:
        a,A=rx(r,hist,d+1);b,B=rx(r,hist,d+1); return f'({a} && {b})',('&',A,B)
    lo=r.randint(0,2); hi=r.choice([None,lo,lo+1])
    a,A=rx(r,hist,d+1)
    return f'({a})[*{lo}..{"" if hi is None else hi}]',('*',A,lo,hi)
def form(r,hist,d=0):
    k=r.random()
    if d>3 or k<.25: return bform(r,hist,1)
    if k<.55:
        o=r.choice(['G','F','X','X[!]','!','G','F']); a,A=form(r,hist,d+1); return f'{o}({a})',(o,A)
    if k<.75:
        o=r.choice('UWR'); a,A=form(r,hist,d+1);b,B=form(r,hist,d+1); return f'(({a}) {o} ({b}))',(o,A,B)
    if k<.9:
        o=r.choice(['&','|','->','<->']); a,A=form(r,hist,d+1);b,B=form(r,hist,d+1); return f'(({a}) {o} ({b}))',(o,A,B)
    a,A=rx(r,hist); q=r.random()
    if q<.34: return '{'+a+'}',('m',A)
    b,B=form(r,hist,d+1)
    if q<.67: return '({'+a+'} |-> ('+b+'))',('|->',A,B)
    return '({'+a+'} |=> ('+b+'))',('|=>',A,B)
# ---- evaluation
def tv(t,st):
    k=t[0]
    if k=='c': return t[1]
    if k=='v': return st['val'].get(t[1],Fraction(0))
    if k=='h':
        v,h=t[1],t[2]; ch=st['ch'].get(v,[])  # list of (value,time)
        parts=h[1:].split('?'); n=0; q='V'
        if parts[0].isdigit(): n=int(parts[0]); q=parts[1] if len(parts)>1 else 'V'
        else: q=parts[0]
        m=len(ch)-n
        if q=='C': return Fraction(max(m,0))
        if m<=0: return Fraction(0)
        return ch[m-1][0 if q=='V' else 1]
    a=tv(t[1],st); b=tv(t[2],st)
    if a is None or b is None: return None
    if k=='+': return a+b
    if k=='-': return a-b
    if k=='*': return a*b
    if b==0: return None
    if k=='/': return a/b
    q=a/b; q=int(q); return a-q*b
def av(A,st):
    o=A[1]; a=tv(A[2],st); b=tv(A[3],st)
    if a is None or b is None: return False
    return {'=':a==b,'!=':a!=b,'<':a<b,'<=':a<=b,'>':a>b,'>=':a>=b}[o]
def bv(f,st):
    k=f[0]
    if k=='a': return av(f,st)
    if k=='!': return not bv(f[1],st)
    if k=='&': return bv(f[1],st) and bv(f[2],st)
    return bv(f[1],st) or bv(f[2],st)
class Ev:
    def __init__(s,states,loop): s.S=states; s.n=len(states); s.loop=loop; s.memo={}
    def L(s,i): return s.S[min(i,s.n-1)]
    def match(s,r,i,j):  # r matches positions i..j-1
        key=('r',id(r),i,j)
        if key in s.memo: return s.memo[key]
        k=r[0]
        if k=='c': v= j==i+1 and bv(r[1],s.L(i))
        elif k==';': v=any(s.match(r[1],i,m) and s.match(r[2],m,j) for m in range(i,j+1))
        elif k==':': v=any(s.match(r[1],i,m+1) and s.match(r[2],m,j) for m in range(i,j))
        elif k=='|': v=s.match(r[1],i,j) or s.match(r[2],i,j)
        elif k=='&': v=s.match(r[1],i,j) and s.match(r[2],i,j)
        else:
            _,A,lo,hi=r; v=s.rep(A,lo,hi,i,j)
        s.memo[key]=v; return v
    def rep(s,A,lo,hi,i,j):
        if lo==0 and i==j: return True
        if hi==0: return False
        if lo>0 and i==j: return s.match(A,i,i)
        for m in range(i+1,j+1):
            if s.match(A,i,m) and s.rep(A,max(lo-1,0),None if hi is None else hi-1,m,j): return True
        if lo>0 and s.match(A,i,i): return s.rep(A,0,hi,i,j) if True else False
        return False
    def ev(s,f,i):
        key=(id(f),i)
        if key in s.memo: return s.memo[key]
        v=s.ev0(f,i); s.memo[key]=v; return v
    def ev0(s,f,i):
        k=f[0]; n=s.n
        if k in 'a': return i<n and bv(f,s.S[i]) if not s.loop else bv(f,s.L(i))
        if k=='!': return not s.ev(f[1],i)
        if k=='&': return s.ev(f[1],i) and s.ev(f[2],i)
        if k=='|': return s.ev(f[1],i) or s.ev(f[2],i)
        if k=='->': return (not s.ev(f[1],i)) or s.ev(f[2],i)
        if k=='<->': return s.ev(f[1],i)==s.ev(f[2],i)
        if k=='m': return any(s.match(f[1],i,j) for j in range(i+1,n+1))
        if k=='|->': return all((not s.match(f[1],i,j)) or s.ev(f[2],j-1) for j in range(i+1,n+1))
        if k=='|=>': return all((not s.match(f[1],i,j)) or j>=n or s.ev(f[2],j) for j in range(i,n+1))
        last = i>=n-1
        if k=='G': return all(s.ev(f[1],j) for j in range(i,n))
        if k=='F': return any(s.ev(f[1],j) for j in range(i,n))
        if k=='X': return s.ev(f[1],i if s.loop and last else i+1) if (s.loop or not last) else True
        if k=='X[!]': return s.ev(f[1],i if s.loop and last else i+1) if (s.loop or not last) else False
        if k=='U':
            for j in range(i,n):
                if s.ev(f[2],j): return True
                if not s.ev(f[1],j): return False
            return False
        if k=='W':
            for j in range(i,n):
                if s.ev(f[2],j): return True
                if not s.ev(f[1],j): return False
            return True
        if k=='R':
            for j in range(i,n):
                if not s.ev(f[2],j): return False
                if s.ev(f[1],j): return True
            return True
        raise Exception(k)


class Fault(Exception):
    """A division by zero that is met."""
def parts(f):
    """The formulas that are asked at every position: f, and the operands of what looks at other positions."""
    found,open_=[f],[f]
    while open_:
        g=open_.pop()
        if g[0] in ('a','c'): continue
        inner=[h for h in g[1:] if isinstance(h,tuple)]
        open_+=inner
        if g[0] not in ('!','&','|','->'): found+=inner
    return found
def truth(f,st):
    """Of what does not look at other positions; None for the rest.  From left to right, as far as it has to go."""
    k=f[0]
    if k=='a':
        if tv(f[2],st) is None or tv(f[3],st) is None: raise Fault
        return av(f,st)
    if k=='!':
        v=truth(f[1],st); return None if v is None else not v
    if k in ('&','|'):
        stop=k=='|'; all_=not stop
        for g in f[1:]:
            v=truth(g,st)
            if v==stop and v is not None: return v
            if v is None: all_=None
        return all_
    if k=='->':
        a=truth(f[1],st)
        if a is False: return True
        b=truth(f[2],st)
        return b if b is True or a is True else None
    return None
def first_fault(formulas,states):
    """The first position where one of the formulas divides by zero."""
    asked=[g for f in formulas for g in parts(f)]
    for i,st in enumerate(states):
        for g in asked:
            try: truth(g,st)
            except Fault: return i
    return None


def hasrx(f):
    return isinstance(f, tuple) and (f[0] in ("m", "|->", "|=>") or any(hasrx(g) for g in f[1:]))
