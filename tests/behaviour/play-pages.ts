// What is neither a webhook nor the API's models: pages, health, the API document, signing in, and the command line.
import type { World } from './record-all.ts'
import type { Reply } from './recorder.ts'
import { METRICS_TOKEN, runCommand } from './service.ts'

const PAGES = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/docs',
  '/api/openapi.json',
  '/api/session',
  '/setup',
  '/nothing',
]
const LOGIN = 'ada.recorded@example.com'
const PASSWORD = 'a password of the recorder 2031'
/** Names of commands; their help names the rest. */
const GROUPS = [
  'calls',
  'call',
  'data',
  'deliveries',
  'delivery',
  'export',
  'move',
  'settings',
  'simulate',
  'sync',
  'user',
  'users',
  'doctor',
  'demo',
]
const COMMANDS: readonly (readonly string[])[] = [
  ['--help'],
  ['--version'],
  ['nothing'],
  ['settings', 'list'],
  ['settings', 'get', 'api_url'],
  ['settings', 'set', 'debug_mode', 'perhaps'],
  ['user', 'list'],
  ['call', 'list'],
  ['delivery', 'list'],
  ['export', 'res.partner'],
  ['export', 'connect.nothing'],
  ...GROUPS.map((group) => [group, '--help']),
]

export async function playPages({ recorder, installation, key }: World): Promise<void> {
  const authorization = `bearer ${key}`
  recorder.part = 'pages'
  for (const page of PAGES) {
    // Numbers of the process are another each time.
    if (page !== '/metrics') await recorder.send('nobody', page)
    if (page !== '/metrics') await recorder.send('administrator', page, { headers: { authorization } })
    await recorder.send('posted', page, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  }
  await recorder.inTurn(async () => {
    const reply = await recorder.ask('/metrics', { headers: { authorization: `bearer ${METRICS_TOKEN}` } })
    const lines = reply.text.split('\n').filter((line) => line.startsWith('# ') && line.includes(' connect_'))
    recorder.note('metrics', '/metrics', {}, { ...reply, body: Buffer.from(lines.join('\n')) })
  })
  const json = { 'content-type': 'application/json' }
  const post = (name: string, target: string, values: object, headers: Record<string, string> = {}): Promise<Reply> =>
    recorder.send(name, target, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(values) })
  for (const values of [{}, { login: 'x' }, { login: LOGIN, name: 'Ada', password: 'short', token: 'wrong' }]) {
    await post('set up', '/api/setup', values)
  }
  const account = { vals_list: { login: LOGIN, name: 'Ada', password: PASSWORD } }
  await post('an account', '/json/2/res.users/create', account, { authorization })
  for (const password of ['wrong', '', PASSWORD]) {
    const { headers } = await post('sign in', '/api/sign-in', { login: LOGIN, password })
    const cookie = String(headers['set-cookie'] ?? '').split(';')[0] ?? ''
    await recorder.send('who am I', '/api/me', { headers: { cookie } })
    await post('another password', '/api/password', { current: password, next: 'short' }, { cookie })
  }
  await post('sign out', '/api/sign-out', {})
  recorder.part = 'commands'
  for (const args of COMMANDS) {
    const ran = await recorder.inTurn(() => runCommand(installation, args))
    recorder.commands.push({ part: recorder.part, command: `connect ${args.join(' ')}`, ...ran })
  }
}
