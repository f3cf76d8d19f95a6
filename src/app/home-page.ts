import type { FastifyInstance } from 'fastify'
import type { Queryable } from '../database/database.ts'
import type { Platform } from '../platform/access/env.ts'
import { escapeHtml } from '../platform/chatter/text-to-html.ts'
import { isSetUp } from '../platform/settings/set-up.ts'

/** What somebody sees who opens the address in a browser: what there is, and what to do next. */
export function homeRoute(http: FastifyInstance, { db, platform }: { db: Queryable; platform: Platform }): void {
  http.get('/', async (_request, reply) => {
    const [hasAdministrator, { apiUrl }] = await Promise.all([isSetUp(db), platform.settings.get()])
    return reply.type('text/html; charset=utf-8').send(homePage({ hasAdministrator, apiUrl }))
  })
}

const FIRST_ADMINISTRATOR = `<p>Nobody can sign in yet: there is no administrator. The service prints a one-time link that begins with
<code>/setup?token=</code> at each start, where it was started: in the terminal of <code>npm start</code>, in
<code>journalctl --unit connect</code>, or in <code>docker compose logs connect</code>. Open it to create the first one. Without
the link, on the machine of the service:</p>
<pre>npx connect user create ada --name "Ada Miller" --group connect.group_admin base.group_erp_manager</pre>`

/** The two forms are the API's own sign-in and sign-out, for whoever runs the service without the page. */
const SIGN_IN = `<p id="who">There is an administrator. People work at <a href="/start">the page</a>; signed in, you read the API as you may use it.</p>
<form id="in"><label>Login <input name="login" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form><form id="out" hidden><button>Sign out</button></form><p id="answer" role="status"></p><script>
const [one,two,who,answer]=['in','out','who','answer'].map((id)=>document.getElementById(id))
const send=async(path,body)=>{
  const reply=await fetch(path,{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(body)})
  if(reply.ok){location.reload()}else{answer.textContent=(await reply.json()).message}}
one.onsubmit=(event)=>{event.preventDefault();send('/api/sign-in',Object.fromEntries(new FormData(one)))}
two.onsubmit=(event)=>{event.preventDefault();send('/api/sign-out',{})}
fetch('/api/me').then(async(reply)=>{if(reply.ok){
  who.firstChild.textContent='Signed in as '+(await reply.json()).login+'. People work at '
  one.hidden=true;two.hidden=false}})
</script>
<p>Programs use a key: <code>npx connect api-key create LOGIN NAME</code> on the machine of the service prints one, once. It is sent
as <code>Authorization: bearer KEY</code>.</p>`

function homePage({ hasAdministrator, apiUrl }: { hasAdministrator: boolean; apiUrl: string | undefined }): string {
  const address = apiUrl === undefined ? 'not set: neither provider can reach the service' : escapeHtml(apiUrl)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Connect</title><style>
body{font:16px/1.6 system-ui,sans-serif;margin:4rem auto;max-width:40rem;padding:0 1rem;color:#1a1a1a;background:#fff}
dt{font-weight:600;margin-top:.8rem}dd{margin:0}a{color:#1c64c8}pre{white-space:pre-wrap}code,pre{font-size:.9em}
label{display:block;margin:.5rem 0}input{font:inherit;padding:.3rem .5rem}button{font:inherit;padding:.4rem 1rem}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}a{color:#7fb0ff}}</style></head>
<body><h1>Connect is running</h1>
${hasAdministrator ? SIGN_IN : FIRST_ADMINISTRATOR}
<dl><dt>API</dt><dd><a href="/api/docs">Read the API</a> or take its <a href="/api/openapi.json">document</a></dd>
<dt>Public address</dt><dd>${address}</dd>
<dt>Health</dt><dd><a href="/healthz">alive</a>, <a href="/readyz">ready</a></dd>
<dt>More</dt><dd><code>npx connect doctor</code> says what is missing; <code>README.md</code> begins with the first steps.</dd></dl>
</body></html>`
}
