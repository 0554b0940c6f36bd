# stdin: @@ file / #n / text ; blank line => bare prefix line; '#n -' deletes block; lines starting with '- ' or '|' begin new paragraph
import sys,re,textwrap
from blocks import blocks
W=100
def fill(txt,ind,pre):
    out=[];para=[]
    def flush():
        nonlocal para
        if para:
            s=' '.join(x.strip() for x in para)
            sub='  ' if s.startswith('- ') else ''
            s2=re.sub(r'`[^`]*`',lambda m:m.group(0).replace(' ','\0'),s)
            for l in textwrap.wrap(s2,W-len(ind)-len(pre)-1,subsequent_indent=sub,break_long_words=False,break_on_hyphens=False):
                out.append(f'{ind}{pre} {l}'.replace('\0',' '))
            para=[]
    code=False
    for l in txt:
        if l.startswith('```'):
            flush(); out.append(f'{ind}{pre} {l}'); code=not code; continue
        if code: out.append(f'{ind}{pre} {l}'.rstrip()); continue
        if l=='': flush(); out.append(ind+pre); continue
        if l.startswith('|'): flush(); out.append(f'{ind}{pre} {l[1:]}' if not l.startswith('| ') else f'{ind}{pre} {l}'); continue
        if l.startswith('- '): flush()
        para.append(l)
    flush(); return out
def run():
    cur=None;rep={}
    f=None
    edits={}
    for l in sys.stdin.read().split('\n'):
        if l.startswith('@@ '): f=l[3:].strip(); edits[f]={}; cur=None
        elif re.match(r'^#\d+( -)?$',l):
            n=int(l.split()[0][1:]); cur=[]; assert n not in edits[f],(f,n); edits[f][n]=None if l.endswith(' -') else cur
        elif cur is not None: cur.append(l)
        elif l.strip(): raise SystemExit(f'stray {l!r}')
    for f,e in edits.items():
        L=open(f).read().split('\n'); B=blocks(L); old=len(L)
        for n in sorted(e,reverse=True):
            i,j,ind,pre=B[n]; t=e[n]
            if t is None: L[i:j]=[]; continue
            while t and t[-1]=='': t.pop()
            assert t,(f,n)
            L[i:j]=fill(t,ind,pre)
        open(f,'w').write('\n'.join(L)); print(f'{len(L)-old:+d} {f}')
run()
