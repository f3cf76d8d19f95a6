import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { type Crawl, type KnowledgeDocument, newDocumentId, type Workspace } from '../workspace.ts'
import { badValue, notFound, refuse } from './api-error.ts'
import { cursorPage } from './pages.ts'
import { checkForm, type Json, readBody } from './schemas.ts'

const ACCESS = { is_creator: true, creator_name: 'Owner', creator_email: 'owner@example.com', role: 'admin' }
/** Not in the API description: its page on the knowledge base (elevenlabs.io/docs/eleven-agents/customization/knowledge-base). */
const FILE_ENDINGS = /\.(?:pdf|txt|docx|html|epub)$/i
const FILE_BYTES_MAX = 21_000_000
const DEPTH = 3
const PATH = '/v1/convai/knowledge-base'

/** Documents of the workspace: texts, files, pages and, as folders, sites. */
export function knowledgeRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const add = (document: Partial<KnowledgeDocument> & Pick<KnowledgeDocument, 'type' | 'name'>): KnowledgeDocument => {
    const now = workspace.clock.unixSeconds
    const made = { id: newDocumentId(), createdSeconds: now, updatedSeconds: now, content: '', ...document }
    workspace.documents.set(made.id, made)
    return made
  }
  const added = ({ id, name }: KnowledgeDocument): HttpReply => jsonReply(200, { id, name, folder_path: [] })
  return [
    ...crawlRoutes(workspace, problems, add),
    {
      method: 'POST',
      path: `${PATH}/text`,
      handle(request) {
        const { text, name } = readBody(request, problems) as { text: string; name?: string | null }
        if (text.trim() === '') throw badValue(['text'], 'Text should not be empty')
        return added(add({ type: 'text', name: name ?? 'Text', content: text }))
      },
    },
    {
      method: 'POST',
      path: `${PATH}/url`,
      handle(request) {
        const { url, name } = readBody(request, problems) as { url: string; name?: string | null }
        requireUrl(url)
        return added(add({ type: 'url', name: name ?? url, url, content: `What ${url} says.` }))
      },
    },
    { method: 'POST', path: `${PATH}/file`, handle: async (request) => added(add(await readFile(request, problems))) },
    ...documentRoutes(workspace, problems),
  ]
}

/** Documents one by one, and their list. */
function documentRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const find = ({ params }: HttpRequest): KnowledgeDocument => {
    const document = workspace.documents.get(params.id ?? '')
    if (document === undefined) throw notFound('document', params.id ?? '')
    return document
  }
  return [
    { method: 'GET', path: PATH, handle: (request) => list(workspace, request) },
    { method: 'GET', path: `${PATH}/:id`, handle: (request) => jsonReply(200, whole(find(request))) },
    {
      method: 'PATCH',
      path: `${PATH}/:id`,
      handle(request) {
        const document = find(request)
        const { name, content } = readBody(request, problems) as { name?: string | null; content?: string | null }
        if (typeof content === 'string' && document.type === 'folder') {
          throw refuse(400, 'invalid_document', 'The content of a folder cannot be updated.')
        }
        document.name = name ?? document.name
        document.content = content ?? document.content
        document.updatedSeconds = workspace.clock.unixSeconds
        return jsonReply(200, whole(document))
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/:id`,
      handle(request) {
        const { id } = find(request)
        const isForced = request.query.get('force') === 'true'
        if (dependentsOf(workspace, id).length > 0 && !isForced) {
          throw refuse(409, 'document_in_use', 'Agents depend on the document; delete it with force.')
        }
        remove(workspace, id)
        return jsonReply(200, {})
      },
    },
    {
      method: 'GET',
      path: `${PATH}/:id/dependent-agents`,
      handle: (request) => jsonReply(200, { agents: dependentsOf(workspace, find(request).id), has_more: false }),
    },
  ]
}

/** Sites are read page by page: the first look finds it under way, the second one done. */
function crawlRoutes(
  workspace: Workspace,
  problems: Problems,
  add: (document: Partial<KnowledgeDocument> & Pick<KnowledgeDocument, 'type' | 'name'>) => KnowledgeDocument,
): HttpRoute[] {
  return [
    {
      method: 'POST',
      path: `${PATH}/crawl`,
      handle(request) {
        const { url, max_pages: most = 1_000 } = readBody(request, problems) as { url: string; max_pages?: number }
        requireUrl(url)
        const folder = add({ type: 'folder', name: new URL(url).host })
        const crawl = {
          id: newDocumentId(),
          url,
          most,
          folderId: folder.id,
          createdSeconds: folder.createdSeconds,
          looks: 0,
        }
        workspace.crawls.set(crawl.id, crawl)
        const { id, folderId: root_folder_id, createdSeconds: created_at } = crawl
        return jsonReply(200, { id, type: 'discovery', root_folder_id, status: 'queued', created_at, folder_path: [] })
      },
    },
    {
      method: 'GET',
      path: `${PATH}/crawl`,
      handle: () => jsonReply(200, { crawl_jobs: [...workspace.crawls.values()].map(toCrawl), next_cursor: null }),
    },
    {
      method: 'GET',
      path: `${PATH}/crawl/:id`,
      handle({ params }) {
        const crawl = workspace.crawls.get(params.id ?? '')
        if (crawl === undefined) throw notFound('crawl_job', params.id ?? '')
        crawl.looks += 1
        return jsonReply(200, toCrawl(crawl))
      },
    },
  ]
}

function toCrawl({ id, url, most, folderId, createdSeconds, looks }: Crawl): Json {
  const PAGES = 3
  const isDone = looks > 1
  return {
    id,
    type: 'discovery',
    seed_url: url,
    max_depth: DEPTH,
    max_pages: most,
    status: isDone ? 'succeeded' : 'processing',
    pages_identified: PAGES,
    pages_scraped: isDone ? Math.min(PAGES, most) : 1,
    root_folder_id: folderId,
    created_at: createdSeconds,
    updated_at: createdSeconds,
  }
}

/** A form with one file, whose ending says what it is. */
async function readFile(
  request: HttpRequest,
  problems: Problems,
): Promise<Pick<KnowledgeDocument, 'type' | 'name' | 'content' | 'filename'>> {
  const headers = { 'content-type': String(request.headers['content-type'] ?? '') }
  const form = await new Response(new Uint8Array(request.body), { headers }).formData().catch(() => undefined)
  if (form === undefined) throw badValue([], 'There was an error parsing the body')
  checkForm(request, form, problems)
  const [file, name] = [form.get('file'), form.get('name')]
  if (!(file instanceof File)) throw badValue(['file'], 'Expected UploadFile')
  if (!FILE_ENDINGS.test(file.name))
    throw refuse(400, 'unsupported_file_type', `The type of ${file.name} is not supported.`)
  if (file.size > FILE_BYTES_MAX) throw refuse(400, 'file_too_large', 'The file is too large.')
  if (file.size === 0) throw refuse(400, 'file_empty', 'The file is empty.')
  const content = file.type.startsWith('text/') ? await file.text() : `${file.size} bytes of ${file.name}`
  return { type: 'file', name: typeof name === 'string' ? name : file.name, content, filename: file.name }
}

function requireUrl(url: string): void {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw badValue(['url'], 'Input should be a valid URL')
}

function list(workspace: Workspace, request: HttpRequest): HttpReply {
  const { query } = request
  const search = query.get('search') ?? ''
  const types = query.getAll('types')
  const found = [...workspace.documents.values()]
    .filter(({ name, type }) => name.startsWith(search) && (types.length === 0 || types.includes(type)))
    .reverse()
  return cursorPage(
    request,
    found.map((document) => ({ ...toWire(document), dependent_agents: dependentsOf(workspace, document.id) })),
    { key: 'documents' },
  )
}

function toWire(document: KnowledgeDocument): Json {
  const { id, name, type, url, createdSeconds, updatedSeconds, content } = document
  return {
    id,
    name,
    type,
    metadata: {
      created_at_unix_secs: createdSeconds,
      last_updated_at_unix_secs: updatedSeconds,
      size_bytes: Buffer.byteLength(content),
    },
    supported_usages: ['prompt', 'auto'],
    access_info: ACCESS,
    folder_parent_id: null,
    folder_path: [],
    ...(type === 'url' ? { url } : {}),
    ...(type === 'folder' ? { children_count: 1, document_count: 1 } : {}),
  }
}

function whole(document: KnowledgeDocument): Json {
  const { type, content, filename } = document
  const inner = type === 'folder' ? {} : { extracted_inner_html: content }
  return { ...toWire(document), ...inner, ...(type === 'file' ? { filename } : {}) }
}

function dependentsOf({ agents }: Workspace, id: string): Json[] {
  return [...agents.values()]
    .filter(({ config }) =>
      config.conversation_config?.agent?.prompt?.knowledge_base?.some((located) => located.id === id),
    )
    .map(({ id: agentId, name }) => ({
      type: 'available',
      id: agentId,
      name,
      referenced_resource_ids: [id],
      created_at_unix_secs: 1,
      access_level: 'admin',
    }))
}

/** Agents lose what is deleted. */
function remove(workspace: Workspace, id: string): void {
  workspace.documents.delete(id)
  for (const agent of workspace.agents.values()) {
    const { conversation_config: config } = agent.config
    const prompt = config?.agent?.prompt
    if (prompt?.knowledge_base === undefined) continue
    const knowledge_base = prompt.knowledge_base.filter((located) => located.id !== id)
    agent.config = {
      ...agent.config,
      conversation_config: { ...config, agent: { ...config?.agent, prompt: { ...prompt, knowledge_base } } },
    }
  }
}
