import subprocess,re,sys
# strip comments, string-aware, from HEAD and worktree
def strip(s,hashc=False):
    out=[];i=0;n=len(s)
    while i<n:
        m=re.match(r'(#*)"""',s[i:]) 
        if m:
            e=s.find('"""'+m.group(1),i+len(m.group(0))); e=(n if e<0 else e+3+len(m.group(1))); out.append(s[i:e]); i=e; continue
        m=re.match(r'(#*)"',s[i:])
        if m:
            h=m.group(1); k=i+len(m.group(0))
            while k<n and s[k]!='\n':
                if not h and s[k]=='\\': k+=2; continue
                if s.startswith('"'+h,k): break
                k+=1
            k=min(n,k+1+len(h)); out.append(s[i:k]); i=k; continue
        if s.startswith('//',i):
            e=s.find('\n',i); i=n if e<0 else e; continue
        if s.startswith('/*',i):
            e=s.find('*/',i)+2; i=e; continue
        out.append(s[i]); i+=1
    t=''.join(out)
    return [l.rstrip() for l in t.split('\n') if l.strip()]
fs=subprocess.check_output(['git','diff','--name-only',sys.argv[1] if len(sys.argv)>1 else 'HEAD'],text=True).split()
bad=0
for f in fs:
    if f.endswith('.md'): continue
    old=subprocess.check_output(['git','show',f'{sys.argv[1] if len(sys.argv)>1 else "HEAD"}:{f}'],text=True); new=open(f).read()
    if strip(old)!=strip(new): print('CODE DIFFERS',f); bad=1
    # blank lines preserved too
    for k,l in enumerate(new.split('\n')):
        if len(l)>100: print('LONG',f,k+1); 
    links=lambda s:sorted(set(re.findall(r'``[^`]+``|<doc:[^>]+>',s)))
    if links(old)!=links(new): print('LINKS',f,set(links(old))^set(links(new)))
print('ok' if not bad else 'BAD',len(fs))
sys.exit(bad)
