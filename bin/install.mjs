// Runs before `npm start` and `npm test`, on whatever Node the machine has (20 or newer): installs what the
// lockfile names when that has not been done since the lockfile last changed. Plain JavaScript, no dependencies.
// What the tests need as well comes with `--dev`: a first start does without a quarter of the packages.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`Connect needs Node ${OLDEST_NODE} or newer to install itself; this is ${process.version}.`)
  process.exit(1)
}

const withDev = process.argv.includes('--dev') || hasDev()

if (!isCurrent()) install('ci')
// Beside what is there: a service may be running from it.
if (withDev && !hasDev()) install('install', '--no-save')

function install(...command) {
  console.log('Installing dependencies from package-lock.json (first run, or the lockfile changed) ...')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // Said outright, because NODE_ENV=production would decide it otherwise.
  const which = withDev ? '--include=dev' : '--omit=dev'
  const { status, error } = spawnSync(npm, [...command, which, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0 || !isCurrent() || hasDev() !== withDev) {
    console.error(`${whyNotInstalled(status, error)} Nothing was started.`)
    process.exit(1)
  }
}

function runPinned(args) {
  const node = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  return spawnSync(node, args, { encoding: 'utf8', shell: process.platform === 'win32' })
}

function whyNotInstalled(status, error) {
  if (!hasLibatomic()) return 'Node 26 needs the library libatomic.so.1: apt-get install libatomic1.'
  if (status !== 0) return `npm failed${error ? `: ${error.message}` : ''}.`
  return 'The pinned Node is missing: its package fetches it in an install script, so npm must run them (ignore-scripts=false).'
}

// npm writes node_modules/.package-lock.json last, so an interrupted install does not have it.
function isCurrent() {
  const installed = path.join(root, 'node_modules', '.package-lock.json')
  const wanted = path.join(root, 'package-lock.json')
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) return false
  return pinnedNodeIsThere()
}

// Whether the packages of development are there: npm lists in the same file what it has installed.
function hasDev() {
  const installed = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'))
  return Object.values(packages).some(({ dev }) => dev === true)
}

// The `node` package fetches its binary in an install script, which some npm settings switch off silently.
function pinnedNodeIsThere() {
  const wanted = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).dependencies.node
  return runPinned(['--version']).stdout?.trim() === `v${wanted}`
}

// Slim Debian images lack the one shared library that the pinned Node needs beyond those of older ones.
function hasLibatomic() {
  if (process.platform !== 'linux') return true
  const { stdout } = spawnSync('sh', ['-c', 'ldconfig -p 2>/dev/null || /sbin/ldconfig -p'], { encoding: 'utf8' })
  return !stdout || stdout.includes('libatomic.so.1')
}
