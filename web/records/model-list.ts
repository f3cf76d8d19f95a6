import { send } from '../data/client.ts'
import { asks, keyOf, SERVICE } from '../data/keys.ts'

interface ReadModel {
  name: string
  label: string
  hasChatter: boolean
  methods: { name: string; label: string; needsArguments: boolean }[]
}

interface ApiDocument {
  tags: { name: string; description?: string }[]
  paths: Record<
    string,
    { post?: { summary?: string; requestBody?: { content: Record<string, { schema: { required?: string[] } }> } } }
  >
}

const GENERIC =
  /^(?:search|search_count|search_read|read_group|read|create|write|unlink|fields_get|methods_get|consequences|name_search|message_\w+)$/

/** The models that the person who is signed in may read, as the API document names them for them. */
export const modelsQuery = asks({
  queryKey: keyOf(SERVICE, 'models'),
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => modelsOf((await send('/api/openapi.json')) as ApiDocument),
})

export function modelsOf({ tags, paths }: ApiDocument): ReadModel[] {
  const methods = Object.entries(paths).flatMap(([path, { post }]) => {
    const [, model = '', name = ''] = /^\/json\/2\/([^/]+)\/([^/]+)$/.exec(path) ?? []
    if (name === '' || GENERIC.test(name) || post === undefined) return []
    const schema = post.requestBody?.content['application/json']?.schema
    return [{ model, name, label: post.summary ?? name, needsArguments: (schema?.required ?? []).length > 0 }]
  })
  const readable = new Set(Object.keys(paths).map((path) => /^\/json\/2\/([^/]+)\/read$/.exec(path)?.[1]))
  return tags
    .filter(({ name }) => readable.has(name))
    .map(({ name, description = name }) => ({
      name,
      label: description,
      hasChatter: Object.hasOwn(paths, `/json/2/${name}/message_list`),
      methods: methods.filter(({ model }) => model === name),
    }))
    .sort((one, other) => one.label.localeCompare(other.label))
}
