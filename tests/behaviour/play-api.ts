// The API: every model and method, as an administrator, a user, a helpdesk user, the agents' identity and nobody.
import { BAD_VALUES, BY_MODEL, type Fields, goodValue } from './api-values.ts'
import { MEASURED } from './normalise.ts'
import type { World } from './record-all.ts'
import type { Recorder, Reply } from './recorder.ts'

interface Caller {
  name: string
  key: string | undefined
}

interface Described {
  model: string
  fields: Fields
  /** Besides those that every model has. */
  methods: readonly string[]
}

const COMMON = new Set(
  'search search_count search_read read create write unlink fields_get name_search message_post message_list'.split(
    ' ',
  ),
)
/** These set nothing off that would have to be waited for. */
const READING = new Set('search search_count search_read read fields_get name_search message_list'.split(' '))
const PEOPLE = [
  ['user', ['base.group_user', 'connect.group_user']],
  ['helpdesk', ['base.group_user', 'helpdesk.group_user']],
] as const
const ROWS_MAX = 40
/** Their keys are what everything here is asked with. */
const METHODS_LEFT_OUT = new Set(['res.users/api_keys_end', 'res.users/sessions_end'])

export async function playApi({ recorder, providers, key }: World): Promise<void> {
  // The order in which deliveries are logged is not fixed: one of them stands for all.
  await recorder.service.query(
    `delete from connect_delivery where id not in
       (select min(id) from connect_delivery where route like '%create_ticket' and verdict = 'handled')`,
  )
  await recorder.service.query('update connect_delivery set id = 1')
  const api = new Api(recorder, { name: 'administrator', key })
  recorder.part = 'api: the document'
  const models = await api.describe()
  const callers = await api.makeCallers()
  recorder.part = 'api: what is wrong with any request'
  await playWrongRequests(recorder, key)
  for (const described of models) {
    recorder.part = `api: ${described.model}`
    await api.read(described, callers)
    await api.search(described)
  }
  for (const described of models) {
    recorder.part = `api: ${described.model}, written`
    await api.write(described, callers)
    recorder.recordRequests(providers, { isSorted: true })
  }
  for (const described of models) {
    recorder.part = `api: ${described.model}, methods`
    await api.methods(described, callers)
    recorder.recordRequests(providers, { isSorted: true })
  }
  for (const described of models.toReversed()) {
    recorder.part = `api: ${described.model}, removed`
    await api.remove(described, callers)
    recorder.recordRequests(providers, { isSorted: true })
  }
}

class Api {
  readonly #recorder: Recorder
  readonly #admin: Caller
  /** The record that was made here, or else the last one there is, by model. */
  readonly #known = new Map<string, number>()
  readonly #made = new Map<string, number>()

  constructor(recorder: Recorder, admin: Caller) {
    this.#recorder = recorder
    this.#admin = admin
  }

  async describe(): Promise<Described[]> {
    const headers = { authorization: `bearer ${this.#admin.key}` }
    const reply = await this.#recorder.send('the whole API', '/api/openapi.json', { headers })
    const { paths } = JSON.parse(reply.text) as { paths: Record<string, unknown> }
    const byModel = new Map<string, string[]>()
    for (const path of Object.keys(paths)) {
      const [, model, method] = /^\/json\/2\/([^/]+)\/([^/]+)$/.exec(path) ?? []
      if (model === undefined || method === undefined) continue
      byModel.set(model, [...(byModel.get(model) ?? []), method])
    }
    const described: Described[] = []
    // The document may list the models in another order, and what is written of one decides what others answer.
    for (const [model, methods] of [...byModel].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const fields = JSON.parse((await this.#call(this.#admin, model, 'fields_get')).text) as Fields
      described.push({ model, fields, methods: methods.filter((method) => !COMMON.has(method)) })
      const [last] =
        (await this.#ask<{ id: number }[]>(model, 'search_read', { fields: ['id'], order: 'id desc', limit: 1 })) ?? []
      if (last !== undefined) this.#known.set(model, last.id)
    }
    return described
  }

  async makeCallers(): Promise<Caller[]> {
    const callers: Caller[] = [
      { name: 'nobody', key: undefined },
      { name: 'a stranger', key: 'ck_wrong' },
    ]
    const groups =
      (await this.#ask<{ id: number; external_id: string }[]>('res.groups', 'search_read', {
        fields: ['external_id'],
      })) ?? []
    for (const [name, wanted] of PEOPLE) {
      const ids = groups.filter(({ external_id: each }) => wanted.some((one) => one === each)).map(({ id }) => id)
      const vals = { login: `${name}.recorded@example.com`, name: `Recorded ${name}`, group_ids: ids }
      const id = await this.#ask<number>('res.users', 'create', { vals_list: vals })
      if (id !== undefined) callers.push({ name, key: await this.#keyOf(id) })
    }
    const [agents] = await this.#recorder.service.query("select id from res_users where login = 'connect_webhook'")
    callers.push({ name: 'agents', key: await this.#keyOf(Number(agents?.id)) })
    return callers
  }

  async #keyOf(id: number): Promise<string | undefined> {
    return (await this.#ask<{ key: string }>('res.users', 'api_key_create', { ids: [id], name: 'recorded' }))?.key
  }

  async read({ model, fields }: Described, callers: readonly Caller[]): Promise<void> {
    const ids = [this.#known.get(model) ?? 1]
    for (const caller of [this.#admin, ...callers]) {
      await this.#call(caller, model, 'search_read', { order: 'id', limit: ROWS_MAX })
      await this.#call(caller, model, 'search_read', { fields: Object.keys(fields), order: 'id desc', limit: ROWS_MAX })
      await this.#call(caller, model, 'read', { ids })
      await this.#call(caller, model, 'name_search', { name: 'e', limit: ROWS_MAX })
      await this.#call(caller, model, 'search_count', {})
      if (caller !== this.#admin) await this.#call(caller, model, 'fields_get')
    }
    for (const wrong of [
      { ids: [0] },
      { ids: ['1'] },
      { ids: [999_999_999] },
      { ids: [9e15] },
      { ids: [...ids, ...ids] },
      {},
    ]) {
      await this.#call(this.#admin, model, 'read', wrong)
    }
    await this.#call(this.#admin, model, 'message_list', { ids })
    await this.#call(this.#admin, model, 'message_post', { ids, body: '<p>Recorded</p>' })
    await this.#call(this.#admin, model, 'nothing', { ids })
  }

  async search({ model, fields }: Described): Promise<void> {
    for (const [name, { type }] of Object.entries(fields)) {
      if (MEASURED.has(name)) continue
      const value = sampleOf(type)
      const searched = { order: `${name} desc, id`, limit: 5, fields: ['id', name] }
      await this.#call(this.#admin, model, 'search_read', { domain: [[name, '!=', false]], ...searched })
      await this.#call(this.#admin, model, 'search', {
        domain: ['|', [name, 'ilike', 'a'], [name, '=', value]],
        limit: 5,
        order: 'id',
      })
      await this.#call(this.#admin, model, 'search_count', { domain: ['!', [name, 'in', [value, 2]]] })
    }
    for (const domain of [
      'x',
      [[]],
      [['id']],
      [['nothing', '=', 1]],
      [['id', '~', 1]],
      ['&', ['id', '=', 1]],
      [['id', 'in', 'x']],
    ]) {
      await this.#call(this.#admin, model, 'search', { domain })
    }
    for (const order of ['nothing', 'id sideways', '', 'id asc, id desc'])
      await this.#call(this.#admin, model, 'search', { order, limit: 3 })
    for (const limit of [0, -1, 1e9, 'x', 1.5]) await this.#call(this.#admin, model, 'search', { limit, order: 'id' })
  }

  async write({ model, fields }: Described, callers: readonly Caller[]): Promise<void> {
    const values = this.#goodValues(model, fields)
    const required = onlyNeeded(model, fields, values)
    await this.#create(model, { values, required, callers })
    const ids = [this.#known.get(model) ?? 1]
    // What was not made here goes on being used: it is written with values that are refused at most.
    for (const [name, value] of Object.entries(this.#made.has(model) ? values : {})) {
      await this.#call(this.#admin, model, 'write', { ids, vals: { [name]: value } })
    }
    for (const name of model === 'connect.settings' ? [] : Object.keys(fields)) {
      for (const value of BAD_VALUES) await this.#call(this.#admin, model, 'write', { ids, vals: { [name]: value } })
    }
    for (const caller of callers) await this.#call(caller, model, 'write', { ids, vals: required })
    await this.#call(this.#admin, model, 'read', { ids })
  }

  async #create(
    model: string,
    { values, required, callers }: { values: object; required: object; callers: readonly Caller[] },
  ): Promise<void> {
    for (const vals of [{}, { nothing: 1 }, [], [[]], 'x', [{}, {}]]) {
      await this.#call(this.#admin, model, 'create', { vals_list: vals })
    }
    for (const caller of callers) await this.#call(caller, model, 'create', { vals_list: required })
    await this.#call(this.#admin, model, 'create', { vals_list: values })
    const reply = await this.#call(this.#admin, model, 'create', { vals_list: required })
    if (reply.status === 200) {
      this.#made.set(model, Number(reply.text))
      this.#known.set(model, Number(reply.text))
    }
  }

  #goodValues(model: string, fields: Fields): Record<string, unknown> {
    const written = Object.entries(fields).filter(([, field]) => !field.readonly)
    const values = written.map(([name, field]) => [name, goodValue(model, name, field, this.#known)] as const)
    return { ...Object.fromEntries(values.filter(([, value]) => value !== undefined)), ...BY_MODEL[model] }
  }

  async methods({ model, methods }: Described, callers: readonly Caller[]): Promise<void> {
    const ids = [this.#known.get(model) ?? 1]
    for (const method of methods) {
      if (METHODS_LEFT_OUT.has(`${model}/${method}`)) continue
      await this.#call(this.#admin, model, method)
      await this.#call(this.#admin, model, method, { ids: [999_999_999] })
      await this.#call(this.#admin, model, method, { ids })
      await this.#call(this.#admin, model, method, { ids, unknown: true })
      for (const caller of callers) await this.#call(caller, model, method, { ids })
    }
  }

  async remove({ model }: Described, callers: readonly Caller[]): Promise<void> {
    const ids = [this.#made.get(model) ?? 999_999_999]
    await this.#call(this.#admin, model, 'unlink', { ids: [999_999_999] })
    await this.#call(this.#admin, model, 'unlink', { ids: ['x'] })
    for (const caller of callers) await this.#call(caller, model, 'unlink', { ids })
    await this.#call(this.#admin, model, 'unlink', { ids })
    await this.#call(this.#admin, model, 'unlink', { ids })
  }

  #call({ name, key }: Caller, model: string, method: string, args: object = {}): Promise<Reply> {
    const headers = {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `bearer ${key}` }),
    }
    const sending = { method: 'POST', headers, body: JSON.stringify(args) }
    return this.#recorder.send(name, `/json/2/${model}/${method}`, sending, { setsOff: !READING.has(method) })
  }

  async #ask<Result>(model: string, method: string, args: object): Promise<Result | undefined> {
    const reply = await this.#call(this.#admin, model, method, args)
    return reply.status === 200 ? (JSON.parse(reply.text) as Result) : undefined
  }
}

function onlyNeeded(model: string, fields: Fields, values: Record<string, unknown>): Record<string, unknown> {
  const isNeeded = (name: string): boolean => fields[name]?.required === true || BY_MODEL[model]?.[name] !== undefined
  return Object.fromEntries(Object.entries(values).filter(([name]) => isNeeded(name)))
}

/** Something to search for in a field of this kind. */
function sampleOf(type: string): unknown {
  if (type === 'boolean') return true
  return /^(?:integer|\w+2one|\w+2many)$/.test(type) ? 1 : 'a'
}

async function playWrongRequests(recorder: Recorder, key: string): Promise<void> {
  const target = '/json/2/res.partner/search'
  const authorization = `bearer ${key}`
  const json = { 'content-type': 'application/json', authorization }
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"a":1}',
    '{"ids":1}',
    '{"context":1}',
    '{"domain":[],"domain":[]}',
  ]) {
    await recorder.send(`body ${body}`, target, { method: 'POST', headers: json, body })
  }
  for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
    await recorder.send(method, target, { method, headers: json })
  for (const path of [
    '/json/2',
    '/json/2/',
    '/json/2/nothing/search',
    '/json/2/res.partner',
    '/json/2/res.partner/search/more',
    '/json/1/x/y',
  ]) {
    await recorder.send('wrong path', path, { method: 'POST', headers: json, body: '{}' })
  }
  for (const header of ['', 'bearer', 'Bearer  ', `Basic ${key}`, `BEARER ${key}`, 'bearer ck_']) {
    const headers = { 'content-type': 'application/json', authorization: header }
    await recorder.send(`authorization ${header.replace(key, '<key>')}`, target, {
      method: 'POST',
      headers,
      body: '{}',
    })
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16']) {
    const headers = { 'content-type': type, authorization }
    await recorder.send(type, target, { method: 'POST', headers, body: '{}' })
  }
}
