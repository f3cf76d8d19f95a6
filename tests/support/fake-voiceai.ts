// The voice-agent platform as far as the service asks it: small, strict about the key, and made to fail on demand.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>

export interface Asked {
  method: string
  path: string
  body: Json
  headers: IncomingMessage['headers']
}

/** How requests that fit are answered instead of being worked on. */
export interface Failure {
  method?: string
  path: RegExp
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** How often; for ever unless said otherwise. */
  times?: number
  /** Worked on all the same: only the answer is lost. */
  isDone?: boolean
  /** No answer at all; the connection is cut. */
  isCut?: boolean
  /** Called before the answer. */
  before?: () => Promise<void>
}

interface Reply {
  status: number
  body: unknown
}

const MISSING: Reply = { status: 404, body: { detail: { status: 'not_found', message: 'Not found' } } }
const ACCESS = { is_creator: true, creator_name: 'A', creator_email: 'a@example.com', role: 'admin' }
const DEPRECATION = {
  warning_start_days: 30,
  fallback_start_days: 14,
  fallback_complete_days: 7,
  fallback_start_percentage: 25,
  fallback_complete_percentage: 100,
}
const ok = (body: unknown): Reply => ({ status: 200, body })

export class FakeVoiceai {
  readonly apiKey = 'key_of_the_tests'
  readonly asked: Asked[] = []
  voices: Json[] = []
  /** Language models; without any, the account has no such list. */
  llms: Json[] = []
  settings: Json = {}
  readonly webhooks = new Map<string, Json>()
  readonly tools = new Map<string, Json>()
  readonly agents = new Map<string, Json>()
  readonly numbers = new Map<string, Json>()
  /** Documents as they are listed, and how far the reading of sites is. */
  readonly documents = new Map<string, Json>()
  readonly crawls = new Map<string, Json>()
  /** In place of an address of its own. */
  signedUrl: string | undefined
  audio = Buffer.from('ID3 audio')
  markup = '<?xml version="1.0" encoding="UTF-8"?><Response><Connect/></Response>'
  #failures: Failure[] = []
  #count = 0
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(): Promise<FakeVoiceai> {
    // Its clients load the SDK with their first request: a second on an idle machine, in which nobody else is served.
    await import('@elevenlabs/elevenlabs-js')
    const fake = new FakeVoiceai()
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve))
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  fail(failure: Failure): void {
    this.#failures.push(failure)
  }

  /** Forgets what it was asked and how it was to fail; what it holds stays. */
  calm(): void {
    this.#failures = []
    this.asked.length = 0
  }

  /** `POST /v1/convai/tools` and so on, in the order of their arrival; reads are left out unless asked for. */
  requests({ withReads = false } = {}): string[] {
    return this.asked
      .filter((each) => withReads || each.method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
  }

  toolNamed(name: string): { id: string; config: Json } | undefined {
    const found = [...this.tools].find(([, config]) => config.name === name)
    return found === undefined ? undefined : { id: found[0], config: found[1] }
  }

  newId(prefix: string): string {
    this.#count += 1
    return `${prefix}_${this.#count}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readAsked(request)
    this.asked.push(asked)
    const failure = this.#nextFailure(asked)
    await failure?.before?.()
    const reply = this.#reply(asked, failure)
    if (failure?.isCut === true) response.destroy()
    else send(response, reply, failure?.headers)
  }

  #reply(asked: Asked, failure: Failure | undefined): Reply {
    const isReplaced = failure?.isCut === true || failure?.status !== undefined || failure?.body !== undefined
    const worked = isReplaced && failure?.isDone !== true ? ok({}) : this.#work(asked)
    return isReplaced ? { status: failure?.status ?? 200, body: failure?.body ?? {} } : worked
  }

  #nextFailure({ method, path }: Asked): Failure | undefined {
    const found = this.#failures.find(
      (each) => each.path.test(path) && (each.method ?? method) === method && (each.times ?? 1) > 0,
    )
    if (found?.times !== undefined) found.times -= 1
    return found
  }

  #work(asked: Asked): Reply {
    if (asked.headers['xi-api-key'] !== this.apiKey) {
      return { status: 401, body: { detail: { status: 'invalid_api_key', message: 'Invalid API key' } } }
    }
    const [path = ''] = asked.path.split('?')
    const [area = '', id] = /^\/v1\/(?:convai\/|workspace\/)?([\w-]+)(?:\/([\w-]+))?/.exec(path)?.slice(1) ?? []
    switch (area) {
      case 'voices':
        return ok({ voices: this.voices })
      case 'llm':
        return this.llms.length === 0 ? MISSING : ok({ llms: this.llms, default_deprecation_config: DEPRECATION })
      case 'text-to-speech':
        return ok(this.audio)
      case 'webhooks':
        return this.#workOnWebhooks(asked, id)
      case 'settings':
        return this.#workOnSettings(asked)
      case 'tools':
        return this.#workOnTools(asked, id)
      case 'agents':
        return this.#workOnAgents(asked, id)
      case 'knowledge-base':
        return this.#workOnKnowledge(asked, path)
      case 'phone-numbers':
        return this.#workOnNumbers(asked, id)
      case 'conversation':
        return this.#signConversation(asked)
      case 'twilio':
        return ok(this.markup)
      default:
        return MISSING
    }
  }

  #signConversation({ path }: Asked): Reply {
    const query = new URL(path, this.url).searchParams
    const agent = query.get('agent_id') ?? ''
    if (!this.agents.has(agent)) return MISSING
    const url = `${this.url.replace('http', 'ws')}/v1/convai/conversation?agent_id=${agent}&conversation_signature=cvtkn_1`
    return ok({ signed_url: this.signedUrl ?? url })
  }

  #workOnSettings({ method, body }: Asked): Reply {
    if (method === 'PATCH') this.settings = { ...this.settings, ...body }
    return ok(this.settings)
  }

  #workOnWebhooks({ method, body }: Asked, id: string | undefined): Reply {
    if (method === 'POST') {
      const { name, webhook_url: url } = body.settings as Json
      const webhook = { webhook_id: this.newId('webhook'), webhook_secret: this.newId('wsec') }
      this.webhooks.set(webhook.webhook_id, {
        ...webhook,
        name,
        webhook_url: url,
        is_disabled: false,
        is_auto_disabled: false,
        created_at_unix: 1,
        auth_type: 'hmac',
      })
      return ok(webhook)
    }
    if (id === undefined) {
      return ok({ webhooks: [...this.webhooks.values()].map(({ webhook_secret: _secret, ...rest }) => rest) })
    }
    const webhook = this.webhooks.get(id)
    if (webhook === undefined) return MISSING
    if (method === 'PATCH') {
      const isEnabled = body.is_disabled === false
      this.webhooks.set(id, { ...webhook, ...body, ...(isEnabled ? { is_auto_disabled: false } : {}) })
    }
    if (method === 'DELETE') {
      const used = (this.settings.webhooks as Json | undefined)?.post_call_webhook_id
      if (used === id) return { status: 400, body: { detail: { message: 'The webhook is in use' } } }
      this.webhooks.delete(id)
    }
    return ok({ status: 'ok' })
  }

  #workOnTools({ method, body }: Asked, id: string | undefined): Reply {
    const shown = (toolId: string): Json => ({
      id: toolId,
      tool_config: this.tools.get(toolId),
      access_info: ACCESS,
      usage_stats: { avg_latency_secs: 0 },
    })
    if (method === 'POST') {
      const made = this.newId('tool')
      this.tools.set(made, body.tool_config as Json)
      return ok(shown(made))
    }
    if (id === undefined) return ok({ tools: [...this.tools.keys()].map(shown), has_more: false })
    if (!this.tools.has(id)) return MISSING
    if (method === 'PATCH') this.tools.set(id, body.tool_config as Json)
    if (method !== 'DELETE') return ok(shown(id))
    this.tools.delete(id)
    return ok({})
  }

  #workOnAgents({ method, body }: Asked, id: string | undefined): Reply {
    if (method === 'POST') {
      const made = this.newId('agent')
      this.agents.set(made, { ...body, created_at_unix_secs: Math.floor(Date.now() / 1000) })
      return ok({ agent_id: made })
    }
    if (id === undefined) {
      const agents = [...this.agents].map(([agentId, { name, created_at_unix_secs: created }]) => ({
        agent_id: agentId,
        name,
        voice_id: 'v',
        tags: [],
        created_at_unix_secs: created,
        access_info: ACCESS,
      }))
      return ok({ agents, has_more: false })
    }
    const agent = this.agents.get(id)
    if (agent === undefined) return MISSING
    if (method === 'DELETE') {
      this.agents.delete(id)
      return ok({})
    }
    if (method === 'PATCH') this.agents.set(id, { ...agent, ...body })
    const metadata = { created_at_unix_secs: 1, updated_at_unix_secs: 1 }
    return ok({ agent_id: id, metadata, ...this.agents.get(id) })
  }

  #workOnKnowledge(asked: Asked, path: string): Reply {
    const { method, body } = asked
    const [what = '', inner] = path.replace(/^.*knowledge-base\/?/, '').split('/')
    if (what === 'crawl') return this.#workOnCrawls(asked, inner)
    if (what === '') return ok({ documents: [...this.documents.values()], has_more: false })
    if (method === 'POST') return ok({ id: this.#addDocument(what, body), name: 'Document' })
    const document = this.documents.get(what)
    if (document === undefined) return MISSING
    if (method === 'PATCH') this.documents.set(what, { ...document, ...body })
    if (method !== 'DELETE') return ok(this.documents.get(what))
    this.documents.delete(what)
    return ok({})
  }

  #workOnCrawls({ method, body }: Asked, inner: string | undefined): Reply {
    if (inner !== undefined) return ok(this.crawls.get(inner))
    if (method === 'GET') return ok({ crawl_jobs: [...this.crawls.values()] })
    const [id, created, folder] = [this.newId('crawl'), nowSeconds(), this.#addDocument('folder', {})]
    const crawl = { id, seed_url: body.url, max_pages: body.max_pages, max_depth: 3, root_folder_id: folder }
    this.crawls.set(id, { ...crawl, status: 'processing', pages_scraped: 1, created_at: created, updated_at: created })
    return ok({ id, type: 'discovery', root_folder_id: folder, status: 'queued', created_at: created })
  }

  #addDocument(type: string, body: Json): string {
    const id = this.newId('document')
    const metadata = { created_at_unix_secs: nowSeconds(), last_updated_at_unix_secs: 1, size_bytes: 1 }
    const shown = { supported_usages: ['auto'], access_info: ACCESS, dependent_agents: [], extracted_inner_html: '' }
    const kind = { filename: 'f.txt', children_count: 1, document_count: 1 }
    this.documents.set(id, { id, name: 'Document', ...body, ...kind, type, metadata, ...shown })
    return id
  }

  #workOnNumbers({ method, body }: Asked, id: string | undefined): Reply {
    if (method === 'POST') {
      const isTaken = [...this.numbers.values()].some((each) => each.phone_number === body.phone_number)
      if (isTaken) return { status: 409, body: { detail: { message: 'The number exists' } } }
      const made = this.newId('phnum')
      this.numbers.set(made, body)
      return ok({ phone_number_id: made })
    }
    if (id === undefined) return ok([...this.numbers.keys()].map((each) => this.#shownNumber(each)))
    if (!this.numbers.has(id)) return MISSING
    if (method === 'DELETE') {
      this.numbers.delete(id)
      return ok({})
    }
    this.numbers.set(id, { ...this.numbers.get(id), ...body })
    return ok(this.#shownNumber(id))
  }

  #shownNumber(id: string): Json {
    const { phone_number: number, label, agent_id: agentId, inbound_trunk_config: trunk } = this.numbers.get(id) ?? {}
    return {
      provider: 'sip_trunk',
      phone_number_id: id,
      phone_number: number,
      label,
      livekit_stack: 'standard',
      inbound_trunk: {
        ...{ allowed_addresses: [], allowed_numbers: null, media_encryption: 'allowed', has_auth_credentials: false },
        ...(trunk as Json | undefined),
      },
      ...(agentId === undefined ? {} : { assigned_agent: { agent_id: agentId, agent_name: 'A' } }),
    }
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  // A form is kept as it came.
  const isForm = /^multipart/.test(request.headers['content-type'] ?? '')
  const parsed = text === '' || isForm ? {} : (JSON.parse(text) as Json)
  const body = isForm ? { form: text, name: /name="name"\s+([^\r\n]+)/.exec(text)?.[1] } : parsed
  return { method: request.method ?? '', path: request.url ?? '', body, headers: request.headers }
}

function send(response: ServerResponse, { status, body }: Reply, headers: Record<string, string> = {}): void {
  const isRaw = Buffer.isBuffer(body) || typeof body === 'string'
  response.writeHead(status, { 'content-type': isRaw ? 'audio/mpeg' : 'application/json', ...headers })
  response.end(isRaw ? body : JSON.stringify(body))
}
