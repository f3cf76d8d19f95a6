/** A page that reads the API document and shows it; it loads nothing from anywhere else. */
export function openApiPage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Connect API</title><style>
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1a1a1a;background:#fff}
summary{cursor:pointer;padding:.35rem 0}code,pre{font:14px/1.45 ui-monospace,monospace}pre{background:#f4f5f7;padding:.75rem;overflow:auto}
input{font:inherit;padding:.4rem .6rem;width:100%;box-sizing:border-box}h2{margin-bottom:0}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}pre{background:#22252b}}</style></head>
<body><h1>Connect API</h1><p id="intro"></p><p>The document itself: <a href="/api/openapi.json">/api/openapi.json</a></p>
<label>Filter <input id="filter" placeholder="connect.call"></label><div id="list">Loading ...</div><script>
const list=document.getElementById('list'),filter=document.getElementById('filter')
fetch('/api/openapi.json').then((answer)=>answer.json()).then((api)=>{
  document.getElementById('intro').textContent=api.info.description
  const show=()=>{list.replaceChildren(...Object.entries(api.paths).filter(([path])=>path.includes(filter.value)).map(([path,{post}])=>{
    const details=document.createElement('details'),summary=document.createElement('summary'),code=document.createElement('code'),pre=document.createElement('pre')
    code.textContent='POST '+path;summary.append(code,' '+(post.summary||''))
    pre.textContent=JSON.stringify(post.requestBody?.content['application/json'].schema,null,2)
    details.append(summary,pre);return details}))}
  filter.oninput=show;show()})
</script></body></html>`
}
