/** A record as the API gives it. */
export type ServiceRecord = { readonly id: number } & Readonly<Record<string, unknown>>

/** Which records: fields and the values they have. */
export type Where = Readonly<Record<string, unknown>>

const UNAVAILABLE = 503

/** The service cannot answer at the moment, and may be asked again. */
export class ServiceBusy extends Error {}

/** The service's own API, asked with the key of an administrator. */
export class ServiceApi {
  readonly url: string
  readonly #key: string

  constructor({ url, key }: { url: string; key: string }) {
    this.url = url.replace(/\/+$/, '')
    this.#key = key
  }

  /** Calls a method of a model; throws with the sentence of a refusal. */
  async ask<Result>(model: string, method: string, values: object = {}): Promise<Result> {
    const reply = await fetch(`${this.url}/json/2/${model}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `bearer ${this.#key}` },
      body: JSON.stringify(values),
    })
    const text = await reply.text()
    const sentence = `${model}/${method} was refused with ${reply.status}: ${reply.ok ? '' : sentenceOf(text)}`
    if (reply.status === UNAVAILABLE) throw new ServiceBusy(sentence)
    if (!reply.ok) throw new Error(sentence)
    return JSON.parse(text) as Result
  }

  /** Audio that people may hear, with the rights of the key. */
  async audio(path: string): Promise<Buffer> {
    const reply = await fetch(this.url + path, { headers: { authorization: `bearer ${this.#key}` } })
    if (!reply.ok) throw new Error(`${path} was refused with ${reply.status}`)
    return Buffer.from(await reply.arrayBuffer())
  }

  /** Records with these values, oldest first. */
  list(model: string, where: Where, fields: readonly string[] = []): Promise<ServiceRecord[]> {
    return this.search(model, toDomain(where), fields)
  }

  search(model: string, domain: readonly unknown[], fields: readonly string[] = []): Promise<ServiceRecord[]> {
    return this.ask<ServiceRecord[]>(model, 'search_read', { domain, fields, order: 'id', limit: 200 })
  }

  async find(model: string, where: Where, fields: readonly string[] = []): Promise<ServiceRecord | undefined> {
    return (await this.list(model, where, fields))[0]
  }

  /** The id of the record with these values, made or changed so that it has the others as well. */
  async ensure(model: string, where: Where, values: Where = {}): Promise<number> {
    const found = await this.find(model, where)
    if (found === undefined) return this.ask<number>(model, 'create', { vals_list: { ...where, ...values } })
    if (Object.keys(values).length > 0) await this.write(model, found.id, values)
    return found.id
  }

  async write(model: string, id: number, values: Where): Promise<void> {
    await this.ask(model, 'write', { ids: [id], vals: values })
  }

  /** The highest id there is, so that what comes later can be told apart. */
  async newestId(model: string): Promise<number> {
    const [newest] = await this.ask<ServiceRecord[]>(model, 'search_read', {
      fields: ['id'],
      order: 'id desc',
      limit: 1,
    })
    return newest?.id ?? 0
  }
}

/** What a refusal says; the whole reply where it is none of the service's. */
function sentenceOf(reply: string): string {
  try {
    const { message } = JSON.parse(reply) as { message?: unknown }
    return typeof message === 'string' ? message : reply
  } catch {
    return reply
  }
}

function toDomain(where: Where): unknown[] {
  return Object.entries(where).map(([field, value]) => [field, Array.isArray(value) ? 'in' : '=', value])
}
