/** A page that reads the API document and shows it; it loads nothing from anywhere else. */
export function openApiPage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Connect API</title><style>
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1a1a1a;background:#fff}
summary{cursor:pointer;padding:.35rem 0}code,pre{font:14px/1.45 ui-monospace,monospace}pre{background:#f4f5f7;padding:.75rem;overflow:auto}
input,select{font:inherit;padding:.4rem .6rem;width:100%;box-sizing:border-box}h2{margin-bottom:0}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}pre{background:#22252b}}</style></head>
<body><h1>Connect API</h1><p id="intro"></p><p>The document itself: <a href="/api/openapi.json">/api/openapi.json</a></p>
<label>Filter <input id="filter" placeholder="connect.call"></label><div id="list">Loading ...</div>
<h2>Schemas</h2><label>Schema <select id="schema"></select></label><pre id="fields"></pre><script>
const list=document.getElementById('list'),filter=document.getElementById('filter')
const shown=(bodies)=>Object.entries(bodies??{}).map(([type,{schema}])=>type+'\\n'+JSON.stringify(schema,null,2)).join('\\n')
const describe=(path,method,{summary='',requestBody,responses={}})=>{
  const details=document.createElement('details'),line=document.createElement('summary'),code=document.createElement('code')
  code.textContent=method.toUpperCase()+' '+path;line.append(code,' '+summary);details.append(line)
  const parts=[['Takes',requestBody?.content],['Answers',responses[200]?.content]]
  details.ontoggle=()=>{if(details.children.length===1)for(const [title,content] of parts){
    const head=document.createElement('p'),pre=document.createElement('pre')
    head.textContent=title;pre.textContent=shown(content)||'nothing';details.append(head,pre)}}
  return details}
const load=async()=>{
  const answer=await fetch('/api/openapi.json')
  if(!answer.ok)throw new Error('the answer was '+answer.status)
  const api=await answer.json()
  document.getElementById('intro').textContent=api.info.description
  const operations=Object.entries(api.paths).flatMap(([path,methods])=>Object.entries(methods).map((each)=>[path,...each]))
  const show=()=>list.replaceChildren(...operations.filter(([path])=>path.includes(filter.value)).map((each)=>describe(...each)))
  const name=document.getElementById('schema'),fields=document.getElementById('fields')
  const showSchema=()=>{fields.textContent=JSON.stringify(api.components.schemas[name.value],null,2)}
  name.replaceChildren(...Object.keys(api.components.schemas).map((each)=>new Option(each)))
  name.onchange=showSchema;filter.oninput=show;showSchema();show()}
load().catch((error)=>{list.textContent='The document cannot be shown: '+error.message+'. Reload the page to try again.'})
</script></body></html>`
}
