/** The form behind the one-time link. */
export function setupPage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Connect: first administrator</title><style>
body{font:16px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:26rem;padding:0 1rem;color:#1a1a1a;background:#fff}
label{display:block;margin:.9rem 0}input{font:inherit;padding:.5rem .6rem;width:100%;box-sizing:border-box}
button{font:inherit;padding:.6rem 1.2rem;cursor:pointer}#answer{min-height:1.5em}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}}</style></head>
<body><h1>First administrator</h1><p>This link works once. Choose who runs this installation.</p>
<form><label>Name <input name="name" autocomplete="name" required></label>
<label>Login <input name="login" autocomplete="username" required></label>
<label>Password, at least 12 characters <input name="password" type="password" autocomplete="new-password" minlength="12" required></label>
<button>Create</button></form><p id="answer" role="status"></p><script>
const form=document.querySelector('form'),answer=document.getElementById('answer')
form.onsubmit=async(event)=>{event.preventDefault()
  const body={token:new URLSearchParams(location.search).get('token')||'',...Object.fromEntries(new FormData(form))}
  const reply=await fetch('/api/setup',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(body)})
  if(reply.ok){location.href='/'}else{answer.textContent=(await reply.json()).message}}
</script></body></html>`
}
