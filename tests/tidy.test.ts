// The countable rules of the house: which way imports go, how folders are called, how long a file may be.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { declaresArea, findFloor } from './support/floors.ts'
import { CODE, files, findLines, readSources, root, type Sources } from './support/source-files.ts'

/** What an area offers its neighbours on the same floor; a folder offers everything in it. */
const OFFERED = [
  'src/contacts/contact-sql.ts',
  'src/contacts/contacts-offered.ts',
  'src/contacts/find-by-number.ts',
  'src/contacts/number-check.ts',
  'src/contacts/renumbering.ts',
  'src/directory/',
  'src/jobs/',
  'src/ledger/calls/call-ticket.ts',
  'src/ledger/counts-of-contacts.ts',
  'src/ports/',
]
/** The one way from the product to the providers' emulators, and only when a command asks for them. */
const EMULATORS = { file: 'src/cli/emulators.ts', folder: 'emulators/' }

const LINES_MAX = 600
const TEST_LINES_MAX = 900
const MIGRATIONS = 'src/database/migrations/'
const KINDS = /(?:^|\/)(?:models|operations|lists|types|interfaces|services|handlers)(?:\/|$)/
const VAGUE_NAME = /^(?:utils?|helpers?|common|misc|libs?)$/

// One letter of each is in brackets, so that this file does not find itself.
const FORBIDDEN = [
  /\bTO[D]O\b/,
  /\bFIX[M]E\b/,
  /@ts-[i]gnore/,
  /@ts-[n]ocheck/,
  /: an[y]\b/,
  /\bas an[y]\b/,
  /\b(?:it|test|describe|suite)\.onl[y]\b/,
]
const MACHINE_PATH = /(?<![\w.~-])\/(?:wor[k]|far[m])\//

/** The title of a test, behind its head or behind the rows of its table. */
const TITLE = /^ *(?:(?:it|test)\b[^'"`\n]*\(|[\])}][^'"`\n]*\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1,/gm
/** How a title begins that means nothing without the title above it. */
const NO_SUBJECT =
  /^(?:is|are|was|were|be|been|being|has|have|had|does|do|did|can|may|might|must|will|should|gets?|becomes?|of|that|with|without|by|to|for|whose|who|which|in|at|on|over|through|from|and|then|but|or|so|as|also|again|already|still|too|not|never|both|it|its|they|their|them|he|she|his|her)\b/i

const code = readSources((file) => CODE.test(file))

test('an import in src only goes down the floors', () => {
  expect(findFloorViolations(onlySrc(code))).toEqual([])
})

test('no file in src imports itself on some way round', () => {
  expect(findCycles(onlySrc(code))).toEqual([])
})

test.each([
  ['a lower floor importing a higher one', 'src/platform/a.ts', '../ledger/b.ts'],
  ['telco importing voiceai', 'src/telco/a.ts', '../voiceai/b.ts'],
  ['voiceai importing telco', 'src/voiceai/webhooks/a.ts', '../../telco/b.ts'],
  ['the helpdesk tools importing telco', 'src/helpdesk/tools/a.ts', '../../telco/b.ts'],
  ['the helpdesk importing its tools', 'src/helpdesk/a.ts', './tools/b.ts'],
  ['jobs importing deliveries', 'src/jobs/a.ts', '../deliveries/b.ts'],
  ['an area importing what a neighbour does not offer', 'src/calendar/a.ts', '../contacts/b.ts'],
  ['voiceai importing the tools of the calendar', 'src/voiceai/a.ts', '../calendar/tools/b.ts'],
  ['a pure file importing the database', 'src/phone.ts', './database/b.ts'],
  ['the app importing main', 'src/app/create-app.ts', '../main.ts'],
  ['code importing tests', 'src/app/create-app.ts', '../../tests/support/b.ts'],
  ['the declaration of an area importing a neighbour', 'src/telco/telco-area.ts', '../voiceai/b.ts'],
  ['the declaration of an area importing a higher floor', 'src/platform/platform-area.ts', '../jobs/b.ts'],
  ['an area importing what an area is', 'src/platform/a.ts', '../area.ts'],
  ['an area that the table does not know', 'src/billing/a.ts', '../phone.ts'],
  ['a command importing the emulators', 'src/cli/commands/a.ts', '../../../emulators/b.ts'],
])('the floors refuse %s', (_what, file, target) => {
  for (const line of [
    `import { b } from '${target}'`,
    `import type { B } from '${target}'`,
    `await import('${target}')`,
  ]) {
    expect(findFloorViolations(new Map([[file, line]]))).toHaveLength(1)
  }
})

test.each([
  ['main importing app', 'src/main.ts', './app.ts'],
  ['the app importing every area', 'src/app/create-app.ts', '../telco/webhooks/b.ts'],
  ['the helpdesk tools importing the helpdesk', 'src/helpdesk/tools/a.ts', '../tickets/b.ts'],
  ['the declaration of an area importing its tools', 'src/helpdesk/helpdesk-area.ts', './tools/b.ts'],
  ['the declaration of an area importing what an area is', 'src/platform/platform-area.ts', '../area.ts'],
  ['an area importing what a neighbour offers', 'src/calendar/a.ts', '../contacts/find-by-number.ts'],
  ['a file importing its own area', 'src/ledger/legs/a.ts', '../calls/call-state.ts'],
  ['a pure file importing another', 'src/config.ts', './errors.ts'],
  ['reading the package file', 'src/version.ts', '../package.json'],
])('the floors allow %s', (_what, file, target) => {
  expect(findFloorViolations(new Map([[file, `import {\n  b,\n} from '${target}'`]]))).toEqual([])
})

test('the command line loads the emulators late, from one file', () => {
  const importing = (line: string) => findFloorViolations(new Map([['src/cli/emulators.ts', line]]))
  expect(importing("import type { B } from '../../emulators/b.ts'")).toEqual([])
  expect(importing("await import('../../emulators/b.ts')")).toEqual([])
  expect(importing("import { b } from '../../emulators/b.ts'")).toHaveLength(1)
  expect(importing("await import('../../tests/b.ts')")).toHaveLength(1)
})

test('a cycle is found wherever it starts, also one of types', () => {
  const sources = new Map([
    ['src/a.ts', "import './b.ts'"],
    ['src/b.ts', "import { c } from './c.ts'\nimport type { A } from './a.ts'"],
    ['src/c.ts', "export const b = await import('./b.ts')"],
    ['src/calendar/a.ts', "import { b } from '../contacts/b.ts'"],
    ['src/contacts/b.ts', "import type { A } from '../calendar/a.ts'"],
  ])
  expect(findCycles(sources)).toEqual([
    'src/b.ts -> src/c.ts -> src/b.ts',
    'src/a.ts -> src/b.ts -> src/a.ts',
    'src/calendar/a.ts -> src/contacts/b.ts -> src/calendar/a.ts',
  ])
})

test('routing decides without the database and without waiting', () => {
  const deciding = [...code].filter(([file]) => file.startsWith('src/telco/routing/decide/'))
  expect(deciding.length).toBeGreaterThan(10)
  const impure = [
    /from '[./]*\/(?:database|load|jobs)\//,
    /from '\.\.\/(?:effects|routing)\.ts'/,
    /\bawait\b|\basync\b/,
  ]
  expect(deciding.flatMap(([file, text]) => findLines(file, text, [...impure, /platform\/access\/env/]))).toEqual([])
})

test('folders and files are named for an idea', () => {
  const isVague = (file: string) => file.split('/').some((part) => VAGUE_NAME.test(part.replace(/\..*$/, '')))
  expect(files.filter(isVague)).toEqual([])
})

test('no folder of src is for a kind, or beside a file of its name', () => {
  const sources = files.filter((file) => file.startsWith('src/') && !file.startsWith(MIGRATIONS))
  const folders = Map.groupBy(sources, (file) => path.posix.dirname(file))
  const isForAKind = (folder: string) => KINDS.test(folder)
  expect([...folders.keys()].filter(isForAKind)).toEqual([])
  expect(sources.filter((file) => folders.has(file.replace(/\.\w+$/, '')))).toEqual([])
})

test('no unfinished work, silenced checks, untyped values or narrowed test runs in src and tests', () => {
  const checked = [...code].filter(([file]) => /^(?:src|tests)\//.test(file))
  expect(checked.flatMap(([file, text]) => findLines(file, text, FORBIDDEN))).toEqual([])
})

test('the title of a test stands alone: it names what it is about', () => {
  const tests = [...code].filter(([file]) => file.endsWith('.test.ts'))
  expect(tests.flatMap(([file, text]) => findTitlesWithoutSubject(text).map((title) => `${file}: ${title}`))).toEqual(
    [],
  )
})

test('a title without a subject is found behind every head of a test', () => {
  const text = [
    "  it('is refused', async () => {",
    '  test.each(FORMS)(`of %s`, () => {',
    "])('and again', () => {",
    "  it.skipIf(isSlow)(\n    'then ends',\n    () => {})",
    "  it('rejects a signature that is old', () => {",
  ].join('\n')
  expect(findTitlesWithoutSubject(text)).toEqual(['is refused', 'of %s', 'and again', 'then ends'])
})

test('SQL takes no id for a number of 32 bits', () => {
  // What is cast is an id when its name says so; on PostgreSQL tests make ids that do not fit, see tests/support/database.ts.
  const narrow = [/(?:\b|\w)[iI]d(?:s|'\))?\}::int(?:eger)?\b/, /::int as id\b/, /\(id int,/]
  const checked = [...code].filter(([file]) => /^(?:src|emulators|bench)\//.test(file))
  expect(checked.flatMap(([file, text]) => findLines(file, text, narrow))).toEqual([])
})

test('every export has a name and one home', () => {
  const checked = [...code].filter(([file]) => !file.endsWith('.config.ts'))
  expect(checked.flatMap(([file, text]) => findLines(file, text, [/^export default\b/, /^export \*/]))).toEqual([])
  expect(checked.map(([file]) => file).filter((file) => /(?:^|\/)index\.\w+$/.test(file))).toEqual([])
})

test('no file is too long to be one idea', () => {
  const linesMax = (file: string) => (file.startsWith('tests/') ? TEST_LINES_MAX : LINES_MAX)
  const lengths = [...code]
    .filter(([file]) => !file.endsWith('.gen.ts'))
    .map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }))
    .sort((a, b) => a.lines - b.lines)
  const ofSrc = lengths.filter(({ file }) => file.startsWith('src/'))
  const [median, longest] = [ofSrc[Math.floor(ofSrc.length / 2)], ofSrc.at(-1)]
  process.stdout.write(`src: median ${median?.lines} lines, longest ${longest?.file} with ${longest?.lines}\n`)
  expect(lengths.filter(({ file, lines }) => lines > linesMax(file))).toEqual([])
})

test("no file names a folder of one developer's machine", () => {
  const texts = [...readSources(() => true)].filter(([, text]) => !text.includes('\0'))
  expect(texts.flatMap(([file, text]) => findLines(file, text, [MACHINE_PATH]))).toEqual([])
})

test('dependencies are exact, and the pinned Node comes with them', () => {
  const { dependencies, devDependencies, allowScripts } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  const versions = Object.entries<string>({ ...dependencies, ...devDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  expect(dependencies.node).toMatch(/^\d/)
  expect(allowScripts).toMatchObject({ node: true })
})

test('the version stands in package.json, and nowhere a second time', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  expect([lock.version, lock.packages[''].version]).toEqual([version, version])
  const written = new RegExp(`(?<![\\w.])${version.replaceAll('.', '\\.')}(?![\\w.])`)
  const checked = [...readSources((file) => /^(?:src|bin|scripts|deploy|docs|Dockerfile)/.test(file))]
  expect(checked.flatMap(([file, text]) => findLines(file, text, [written]))).toEqual([])
})

test('the lockfile names no place to download from', () => {
  const lockfiles = files.filter((file) => path.basename(file) === 'package-lock.json')
  expect(lockfiles).toContain('package-lock.json')
  expect(lockfiles.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('"resolved"'))).toEqual([])
})

function findTitlesWithoutSubject(text: string): string[] {
  return [...text.matchAll(TITLE)].flatMap(([, , title = '']) => (NO_SUBJECT.test(title) ? [title] : []))
}

function findFloorViolations(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    listImports(file, text).flatMap(({ target, isType, isLate }) => {
      const isEmulator = file === EMULATORS.file && target.startsWith(EMULATORS.folder)
      const reason = isEmulator && (isType || isLate) ? undefined : refuse(file, target)
      return reason ? [`${file} imports ${target}: ${reason}`] : []
    }),
  )
}

function refuse(file: string, target: string): string | undefined {
  if (target.endsWith('.json')) return undefined
  if (!target.startsWith('src/')) return 'it is outside src'
  if (declaresArea(file, target)) return undefined
  const from = findFloor(file)
  const to = findFloor(target)
  if (!from || !to) return `${from ? target : file} has no floor: add its area to FLOORS in tests/support/floors.ts`
  if (to.floor > from.floor) return `that is up, from floor ${from.floor} to floor ${to.floor}`
  if (to.area === from.area || to.floor < from.floor) return undefined
  const isOffered = OFFERED.some((offer) => target === offer || (offer.endsWith('/') && target.startsWith(offer)))
  return isOffered ? undefined : `${to.area} does not offer it to its neighbours on floor ${to.floor}`
}

/** The relative imports of a file, as paths from the root; Biome's format puts every statement at a line's start. */
function listImports(file: string, text: string): { target: string; isType: boolean; isLate: boolean }[] {
  const statements = text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'"`]*?\sfrom\s+)?'(\.[^']*)'/gm)
  const calls = text.matchAll(/\bimport\((\s*)'(\.[^']*)'/g)
  return [...statements, ...calls].map(([found, kind, target]) => ({
    target: path.posix.join(path.posix.dirname(file), target ?? ''),
    isType: kind?.startsWith('type') ?? false,
    isLate: found.startsWith('import('),
  }))
}

function findCycles(sources: Sources): string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const visit = (file: string, trail: string[]) => {
    const start = trail.indexOf(file)
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' -> '))
    if (start >= 0 || finished.has(file)) return
    for (const { target } of listImports(file, sources.get(file) ?? '')) visit(target, [...trail, file])
    finished.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return cycles
}

function onlySrc(sources: Sources): Sources {
  return new Map([...sources].filter(([file]) => file.startsWith('src/')))
}
