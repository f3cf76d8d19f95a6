// What stands in deploy/, held against the programs that read it, as far as that goes without a container engine.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')
const DEPLOY = path.join(ROOT, 'deploy')
const UNITS = ['connect.service', 'connect-worker.service']
/** Debian puts some of the programs where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const ENV = { DOMAIN: 'connect.example.com', POSTGRES_PASSWORD: 'password', SECRET_KEY: 'sixteen or more letters' }

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'connect-deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('Caddy takes both Caddyfiles', ({ skip }) => {
  skip(!has('caddy', 'version'), 'caddy is not installed')
  for (const file of ['Caddyfile', 'Caddyfile.compose']) {
    const copy = put(file, read(file).replaceAll('/var/log/caddy', folder))
    const checked = run('caddy', ['validate', '--adapter', 'caddyfile', '--config', copy])
    expect([file, checked.status, checked.text]).toEqual([file, 0, expect.stringContaining('Valid configuration')])
  }
})

test('nginx takes its file', ({ skip }) => {
  skip(!has('nginx', '-v'), 'nginx is not installed')
  skip(!has('openssl', 'version'), 'openssl is not installed')
  const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((name) => path.join(folder, name))
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=connect.example.com']
  expect(run('openssl', [...made, '-keyout', key ?? '', '-out', certificate ?? ''])).toMatchObject({ status: 0 })
  const site = read('nginx.conf')
    .replaceAll('/etc/letsencrypt/live/connect.example.com', folder)
    // Ports that need no root, for nginx binds them to test them.
    .replaceAll(/listen (\[::\]:)?(\d+)/g, (_all, address = '', port) => `listen ${address}${Number(port) + 18_000}`)
  const main = put(
    'main.conf',
    `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${put('site.conf', site)}; }`,
  )
  const checked = run('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', main])
  expect([checked.status, checked.text]).toEqual([0, expect.stringContaining('test is successful')])
  expect(checked.text).not.toContain('[warn]')
})

test('the proxies limit what a stranger may hold, hand on no claimed host, and keep browsers on https', () => {
  const nginx = read('nginx.conf')
  for (const line of [
    /limit_conn connect_address 64;/,
    /client_header_timeout 5s;/,
    /client_body_timeout 10s;/,
    /proxy_set_header X-Forwarded-Host \$http_host;/,
    /Strict-Transport-Security/,
    /location = \/connect_voiceai\/post_call \{\s+proxy_request_buffering off;/,
  ]) {
    expect(nginx).toMatch(line)
  }
  expect(nginx.match(/proxy_request_buffering off/g)).toHaveLength(1)
  for (const file of ['Caddyfile', 'Caddyfile.compose']) {
    expect(read(file)).toMatch(/read_header 5s\s+read_body 30s/)
    expect(read(file)).toMatch(/Strict-Transport-Security/)
  }
})

test('systemd takes the units, and finds them well shut in', ({ skip }) => {
  skip(!has('systemd-analyze', '--version'), 'systemd is not installed')
  for (const name of UNITS) {
    mkdirSync(path.join(folder, 'units'), { recursive: true })
    const here = read(name)
      .replaceAll('/opt/connect/node_modules/.bin/node', process.execPath)
      .replaceAll('/opt/connect', ROOT)
    const unit = put(path.join('units', name), here)
    expect([name, run('systemd-analyze', ['verify', '--man=no', unit])]).toEqual([name, { status: 0, text: '' }])
    const { text } = run('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit])
    const [, exposure = '10'] = /exposure level for \S+: (\d+\.\d)/.exec(text) ?? []
    expect([name, Number(exposure) <= 2]).toEqual([name, true])
  }
})

test('the units differ in nothing but what they run and where they write', () => {
  const [server = '', worker = ''] = UNITS.map((name) => settingsOf(read(name)))
  const own = /^(Description|Environment|ExecStart|StateDirectory|ReadWritePaths)=/
  const shared = (unit: string): string[] => unit.split('\n').filter((line) => !own.test(line))
  expect(shared(worker)).toEqual(shared(server))
})

test('Compose takes its file', ({ skip }) => {
  skip(!has('docker-compose', 'version'), 'docker-compose is not installed')
  const checked = run('docker-compose', ['--file', path.join(DEPLOY, 'compose.yaml'), 'config', '--quiet'])
  expect(checked).toEqual({ status: 0, text: '' })
})

test('containers are shut in, publish no port but the proxy’s, and leave no volume without a name', () => {
  const [shared = '', listed = '', named = ''] = read('compose.yaml').split(/^(?:services|volumes):$/m)
  const names = [...named.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name)
  const services = [...listed.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n)+)/gm)]
  expect(services.map(([, name]) => name)).toEqual(['caddy', 'connect', 'connect-2', 'worker', 'database'])
  for (const [, service = '', text = ''] of services) {
    expect([service, /<<: \*(restrained|connect)/.test(text)]).toEqual([service, true])
    expect([service, text.includes('ports:')]).toEqual([service, service === 'caddy'])
    const mounts = [...text.matchAll(/(?:\[|, |- )([\w./-]+):\/[\w./-]+/g)].map(([, source = '']) => source)
    expect(mounts).not.toEqual([])
    const nameless = mounts.filter((source) => !names.includes(source) && !source.startsWith('./'))
    expect([service, nameless]).toEqual([service, []])
  }
  const isExtra = (text: string): boolean => text.includes('profiles: [many]')
  expect(services.filter(([, , text = '']) => isExtra(text)).map(([, name]) => name)).toEqual(['connect-2', 'worker'])
  for (const restraint of ['read_only: true', 'no-new-privileges:true', 'max-size: 20m', 'cap_drop: [ALL]']) {
    expect(shared).toContain(restraint)
  }
  expect(read('compose.yaml')).toContain("TRUST_PROXY: '1'")
  expect(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')).not.toContain('VOLUME')
})

test('the image is made from the very Node that is pinned', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const bases = [...readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM node:([\d.]+)-/gm)]
  expect(bases.map(([, version]) => version)).toEqual([dependencies.node, dependencies.node])
})

function read(file: string): string {
  return readFileSync(path.join(DEPLOY, file), 'utf8')
}

function put(file: string, text: string): string {
  const place = path.join(folder, file)
  writeFileSync(place, text)
  return place
}

test('each unit, the image and npm start run the service by plain Node', () => {
  const starters = ['package.json', 'bin/connect', 'Dockerfile', 'deploy/compose.yaml', 'bench/sides.ts']
  const files = [...starters, ...UNITS.map((unit) => `deploy/${unit}`)]
  const tuned = /--require|--max-|MALLOC_/
  expect(files.filter((file) => tuned.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([])
})

/** A unit without its comments. */
function settingsOf(unit: string): string {
  return unit.replaceAll(/^#.*\n/gm, '')
}

function has(program: string, versionArgument: string): boolean {
  return run(program, [versionArgument]).status === 0
}

function run(program: string, args: readonly string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH, HOME: folder, ...ENV },
  })
  return { status, text: `${stdout ?? ''}${stderr ?? ''}` }
}
