import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestApp } from '../../support/test-app.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const MODULES = path.join(ROOT, 'node_modules')
const REDOCLY = path.join(MODULES, '@redocly/cli/bin/cli.js')
const TSC = path.join(MODULES, 'typescript/bin/tsc')
/** What everybody loads who opens the page; a document twice as large is one that says everything twice. */
const COMPRESSED_BYTES_MAX = 100_000

const run = promisify(execFile)
let app: TestApp
let folder: string
let document: string

beforeAll(async () => {
  app = await TestApp.start()
  folder = path.join(app.config.dataDir, 'client')
  mkdirSync(folder)
  const { body } = await app.request('/api/openapi.json')
  document = path.join(folder, 'openapi.json')
  writeFileSync(document, JSON.stringify(body))
})
afterAll(async () => {
  await app.stop()
})

interface Linted {
  totals: { errors: number; warnings: number }
  problems: { severity: string; ruleId: string; message: string; location: { pointer?: string }[] }[]
}

it('redocly finds no error in the document', async () => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const linted = run(process.execPath, [REDOCLY, 'lint', document, '--format=json'], { cwd: folder, env })
  // With errors it ends with a code of its own; what it found says more.
  const { stdout } = await linted.catch((failed: { stdout: string }) => failed)
  const { problems, totals } = JSON.parse(stdout) as Linted
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(totals.errors).toBe(0)
}, 120_000)

it('the document stays small enough to load', async () => {
  const { body } = await app.request('/api/openapi.json')
  expect(gzipSync(JSON.stringify(body)).length).toBeLessThan(COMPRESSED_BYTES_MAX)
})

/** Each is refused, by the word that is wrong or missing in it. */
const MISTAKES: readonly (readonly [what: string, line: string, named: string])[] = [
  ['in create', `await call('res.partner/create', { vals_list: { name: 'Z', phon: '+41' } })`, 'phon'],
  ['in a list', `await call('res.partner/create', { vals_list: [{ name: 'Z', phon: '+41' }] })`, 'phon'],
  ['in write', `await call('res.partner/write', { ids: [1], vals: { emial: 'z@z.example' } })`, 'emial'],
  ['in fields', `await call('res.partner/read', { ids: [1], fields: ['nmae'] })`, 'nmae'],
  ['in an answer', `const [row] = await call('res.partner/read', { ids: [1] }); row?.nmae`, 'nmae'],
  ['an argument', `await call('res.partner/search', { domian: [] })`, 'domian'],
  ['a choice', `await call('connect.telco.number/write', { vals: { destination: 'usr' } })`, 'usr'],
  ['what is not written', `await call('connect.user/write', { vals: { telco_exten: 5 } })`, 'telco_exten'],
  ['a missing name', `await call('res.partner/create', { vals_list: { phone: '+41' } })`, 'name'],
  [
    'what a domain names',
    `type Fields = import('./api.d.ts').components['schemas']['res.partner.field']
await call('res.partner/search', { domain: [['nmae' satisfies Fields, '=', 'Z']] })`,
    'nmae',
  ],
  ['a tool', `const body: Sent<'/connect_voiceai_helpdesk/fetch_ticket'> = { ticket: 1 }`, 'ticket_id'],
]
const fileOf = (what: string): string => `wrong-${what.replaceAll(' ', '-')}.ts`

describe('a client generated from the document', () => {
  let said: string

  beforeAll(async () => {
    await run(process.execPath, [path.join(ROOT, 'tests/support/generate-client.ts'), document, at('api.d.ts')])
    writeFileSync(at('package.json'), '{"type":"module"}')
    writeFileSync(at('connect.ts'), CLIENT)
    writeFileSync(at('client.ts'), PLAYED)
    for (const [what, line] of MISTAKES) writeFileSync(at(fileOf(what)), `${HEAD}\n${line}\n`)
    writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }))
    const compiled = run(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], { cwd: folder })
    said = await compiled.then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
  }, 120_000)

  it('creates, changes and finds a contact', async () => {
    expect(said).not.toMatch(/^(?:client|connect|api)/m)
    const { stdout } = await run(process.execPath, [at('client.ts'), app.url, app.admin.key])
    expect(JSON.parse(stdout)).toEqual({ name: 'Zoe Meier', phone: '+41315550142', country: 'Switzerland' })
  })

  it.each(MISTAKES)('refuses what is misspelt: %s', (what, _line, named) => {
    const own = said.split(/^(?=\S)/m).filter((each) => each.startsWith(fileOf(what)))
    expect(own.join('')).toMatch(new RegExp(`error TS\\d+:[^]*'"?${named}"?'`))
  })
})

const at = (name: string): string => path.join(folder, name)

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  module: 'nodenext',
  types: ['node'],
  typeRoots: [path.join(MODULES, '@types')],
  allowImportingTsExtensions: true,
}
/** The client of docs/api.md, whose types come from the document. */
const [, CLIENT = ''] =
  /```ts\n(?=\/\/ connect\.ts)(.*?)```/s.exec(readFileSync(path.join(ROOT, 'docs/api.md'), 'utf8')) ?? []

const HEAD = `import { connect, type Sent } from './connect.ts'
const [, , address = '', key = ''] = process.argv
const call = connect(address, key)`

const PLAYED = `${HEAD}
const id = await call('res.partner/create', { vals_list: { name: 'Zoe Meier', country_id: 'CH' } })
await call('res.partner/write', { ids: [id].flat(), vals: { phone: '+41315550142' } })
const [contact] = await call('res.partner/search_read', {
  domain: [['phone', '=', '+41315550142']],
  fields: ['name', 'phone', 'country_id'],
})
process.stdout.write(JSON.stringify({ name: contact?.name, phone: contact?.phone, country: contact?.country_id?.[1] }))
const refused = await call('res.partner/unlink', {}).catch((error: Error) => error.message)
if (refused !== 'The argument "ids" names no record.') throw new Error(String(refused))
`
