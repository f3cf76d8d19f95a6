// Whatever a manager's key sends to any method of any model is answered with less than 500, and the service goes on.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import type { Model } from '../../../src/platform/model/model.ts'
import { OPERATORS } from '../../../src/platform/records/domain-syntax.ts'
import { anyCharacter } from '../../support/any-text.ts'
import { insertRow } from '../../support/rows.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

/** Chosen anew each time, on either database. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 900)
const CALLS_AT_ONCE = 10
const GENERIC = [
  'search',
  'search_count',
  'search_read',
  'read_group',
  'read',
  'create',
  'write',
  'unlink',
  'fields_get',
  'name_search',
  'message_post',
  'message_list',
]

const MANAGERS = ['base.group_erp_manager', 'connect.group_admin', 'helpdesk.group_manager']

let app: TestApp
let models: Model[]

beforeAll(async () => {
  app = await TestApp.start()
  models = [...app.app.platform.models]
})
afterAll(() => app.stop())

const nasty = fc.constantFrom<unknown>(
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '%',
    '\\',
    "'",
    '"; drop table res_users; --',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    '0000-00-00',
    '0000-01-01',
    '2030-02-30',
    '2030-13-01 25:61:61',
    '9999-12-31 23:59:59',
    '10000-01-01',
    'infinity',
    'now',
  ],
  ...[0, -1, 1, 2, 0.5, -0, 1e300, -1e300, 2_147_483_647, 2_147_483_648, -2_147_483_649, Number.MAX_SAFE_INTEGER],
  ...[null, true, false, [], {}, [[]], [null], [0], [[6, 0, [1]]], [[4, 'x']], [[5], [3, 1]], [1, 'name'], [true]],
  ...[
    { ['__proto__']: null },
    { a: '\0' },
    { a: ['\ud800'] },
    'x'.repeat(5_000),
    '1,2',
    'ZZZ=',
    '****',
    '+41 31 380 83 16',
  ],
)
const value = fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) })

interface Call {
  model: string
  method: string
  body: unknown
}

function calls(): fc.Arbitrary<Call> {
  return fc.constantFrom(...models).chain((model) => {
    const own = Object.entries(model.methods ?? {}).flatMap(([name, method]) => ('run' in method ? [name] : []))
    const method = fc.constantFrom(...GENERIC, ...own, 'toString', '__proto__', 'x')
    return fc.record({ model: fc.constant(model.name), method, body: bodies(model) })
  })
}

function bodies(model: Model): fc.Arbitrary<unknown> {
  const field = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Object.keys(model.fields), 'id', 'display_name') },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
  )
  const path = fc.oneof(
    { weight: 4, arbitrary: field },
    fc.tuple(field, field).map((names) => names.join('.')),
  )
  const operator = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...OPERATORS) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
  )
  const condition = fc.tuple(path, operator, fc.oneof(value, fc.array(value, { maxLength: 3 })))
  const domain = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: condition as fc.Arbitrary<unknown> },
      { weight: 2, arbitrary: fc.constantFrom('&', '|', '!') },
      { weight: 1, arbitrary: value },
    ),
    { maxLength: 6 },
  )
  const vals = fc.dictionary(field, value, { maxKeys: 6 })
  const ids = fc.oneof(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }), value)
  const args = {
    ids,
    domain: fc.oneof({ weight: 5, arbitrary: domain as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: value }),
    fields: fc.oneof(fc.array(field, { maxLength: 4 }), value),
    order: fc.oneof(
      field,
      field.map((name) => `${name} desc`),
      value,
    ),
    limit: fc.oneof(fc.integer({ min: 0, max: 5 }), value),
    offset: fc.oneof(fc.integer({ min: 0, max: 5 }), value),
    vals: fc.oneof(vals, value),
    vals_list: fc.oneof(vals, fc.array(vals, { maxLength: 2 }), value),
    name: value,
    body: value,
    context: fc.oneof(fc.record({ tz: value, connect_call_id: value }), value),
  }
  const shaped = fc
    .subarray(Object.keys(args) as (keyof typeof args)[], { maxLength: 5 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, args[name] as fc.Arbitrary<unknown>]))))
  return fc.oneof({ weight: 12, arbitrary: shaped }, { weight: 1, arbitrary: value })
}

it('the API never answers 5xx', async () => {
  const counts = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(calls(), { minLength: 1, maxLength: CALLS_AT_ONCE }), async (batch) => {
      const person = await somebodyIn(MANAGERS)
      const answers = await Promise.all(batch.map(({ model, method, body }) => send(person.key, model, method, body)))
      for (const [at, { status, text }] of answers.entries()) {
        counts.set(status, (counts.get(status) ?? 0) + 1)
        expect(status, `${JSON.stringify(batch[at])} ${text}`).toBeLessThan(500)
      }
    }),
    { numRuns: Math.ceil(RUNS / CALLS_AT_ONCE) },
  )
  // The calls were not all refused at the door.
  expect(counts.get(200) ?? 0).toBeGreaterThan(RUNS / 50)
  expect((await app.request('/readyz')).status).toBe(200)
}, 1_200_000)

it('changes nothing for somebody in no group', async () => {
  const nobody = await somebodyIn([])
  const before = await contents()
  await fc.assert(
    fc.asyncProperty(calls(), async ({ model, method, body }) => {
      fc.pre(method !== 'api_key_create' && model !== 'res.users.apikeys')
      expect((await send(nobody.key, model, method, body)).status).toBeLessThan(500)
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  )
  expect(await contents()).toEqual(before)
  // What somebody may do with their own account, such as sign out everywhere, is written down.
  const done = await app.db.query<{ model: string; what: string }>(
    sql`select distinct model, what from connect_audit where "user" = ${nobody.userId}::bigint`,
  )
  const own = ['res.users', 'res.users.session']
  expect(done.filter(({ model, what }) => !own.includes(model) || GENERIC.includes(what))).toEqual([])
}, 120_000)

it('answers bytes that are no JSON, and JSON that is odd, without 5xx', async () => {
  const { key } = await somebodyIn(MANAGERS)
  const odd = [
    '',
    ' ',
    'null',
    'nul',
    '{"ids":[1}',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    '[[[[',
    '"\\ud800"',
    '1e999',
    '{"__proto__":{}}',
  ]
  for (const body of [...odd, `${'['.repeat(200_000)}`, `{"domain":${'['.repeat(50_000)}${']'.repeat(50_000)}}`]) {
    expect((await send(key, 'res.partner', 'search', body)).status).toBeLessThan(500)
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      expect((await send(key, 'res.partner', 'search', bytes)).status).toBeLessThan(500)
    }),
    { numRuns: 100 },
  )
})

/** A digest of every table, but for the one that notes when keys were last used. */
async function contents(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { table, rows } of models) {
    if (rows !== undefined) continue
    if (['res_users_apikeys', 'connect_audit'].includes(table)) continue
    const [row] = await app.db.query<{ digest: string }>(
      sql`select md5(coalesce(string_agg(to_jsonb(t)::text, '' order by id), '')) as digest from ${sql.identifier(table)} t`,
    )
    found[table] = row?.digest ?? ''
  }
  return found
}

/** Made past the API, each batch one of its own: a manager may archive managers, the built-in one too. */
async function somebodyIn(groups: readonly string[]): Promise<Caller> {
  const login = `somebody-${randomBytes(6).toString('hex')}`
  const id = await insertRow(app.db, 'res_users', { login, name: login, active: true })
  await app.db.query(
    sql`insert into res_groups_users_rel (user_id, group_id) select ${id}::bigint, id from res_groups
        where external_id = any(${sql.param([...groups])}::text[])`,
  )
  return app.callerOf(id)
}

async function send(
  key: string,
  model: string,
  method: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  return app.post(`/json/2/${model}/${method}`, isRaw ? body : JSON.stringify(body), { authorization: `bearer ${key}` })
}
