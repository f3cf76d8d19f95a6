const list = document.getElementById('list'),
  filter = document.getElementById('filter')
const shown = (bodies) =>
  Object.entries(bodies ?? {})
    .map(([type, { schema }]) => `${type}\n${JSON.stringify(schema, null, 2)}`)
    .join('\n')
const describe = (path, method, { summary = '', requestBody, responses = {} }) => {
  const details = document.createElement('details'),
    line = document.createElement('summary'),
    code = document.createElement('code')
  code.textContent = `${method.toUpperCase()} ${path}`
  line.append(code, ` ${summary}`)
  details.append(line)
  const parts = [
    ['Takes', requestBody?.content],
    ['Answers', responses[200]?.content],
  ]
  details.ontoggle = () => {
    if (details.children.length === 1)
      for (const [title, content] of parts) {
        const head = document.createElement('p'),
          pre = document.createElement('pre')
        head.textContent = title
        pre.textContent = shown(content) || 'nothing'
        details.append(head, pre)
      }
  }
  return details
}
const load = async () => {
  const answer = await fetch('/api/openapi.json')
  if (!answer.ok) throw new Error(`the answer was ${answer.status}`)
  const api = await answer.json()
  document.getElementById('intro').textContent = api.info.description
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map((each) => [path, ...each]),
  )
  const show = () =>
    list.replaceChildren(...operations.filter(([path]) => path.includes(filter.value)).map((each) => describe(...each)))
  const name = document.getElementById('schema'),
    fields = document.getElementById('fields')
  const showSchema = () => {
    fields.textContent = JSON.stringify(api.components.schemas[name.value], null, 2)
  }
  name.replaceChildren(...Object.keys(api.components.schemas).map((each) => new Option(each)))
  name.onchange = showSchema
  filter.oninput = show
  showSchema()
  show()
}
load().catch((error) => {
  list.textContent = `The document cannot be shown: ${error.message}. Reload the page to try again.`
})
