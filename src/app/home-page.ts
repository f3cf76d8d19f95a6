import { escapeHtml } from '../platform/chatter/chatter.ts'

/** What `GET /` shows until the screens are there: that the service runs, and where to go from here. */
export function homePage({ isSetUp, apiUrl }: { isSetUp: boolean; apiUrl: string | undefined }): string {
  const setUp = isSetUp
    ? 'An administrator has been created.'
    : 'Nobody can sign in yet: open the one-time link that the service printed when it started.'
  const address = apiUrl === undefined ? 'not set' : escapeHtml(apiUrl)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Connect</title><style>
body{font:16px/1.6 system-ui,sans-serif;margin:4rem auto;max-width:36rem;padding:0 1rem;color:#1a1a1a;background:#fff}
dt{font-weight:600;margin-top:.8rem}dd{margin:0}a{color:#1c64c8}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}a{color:#7fb0ff}}</style></head>
<body><h1>Connect is running</h1>
<dl><dt>Set up</dt><dd>${setUp}</dd>
<dt>Public address</dt><dd>${address}</dd>
<dt>API</dt><dd><a href="/api/docs">Read the API</a> or take its <a href="/api/openapi.json">document</a></dd>
<dt>Health</dt><dd><a href="/healthz">alive</a>, <a href="/readyz">ready</a></dd></dl></body></html>`
}
