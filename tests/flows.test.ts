// The six flows of docs/architecture.md can be walked: each name is declared where the page says, and names the next one.
import { expect, test } from 'vitest'
import { readSources } from './support/source-files.ts'

interface Step {
  name: string
  file: string
  /** The name under which the next one is handed over; undefined when this one names it itself. */
  handsOver: string | undefined
}

const FLOWS_MIN = 6
const STEP = /`(\w+)` \(([\w/.-]+\.ts)\)(?:\s*(?:->|~`(\w+)`~>))?/g

const sources = readSources((file) => /^src\/.*\.ts$/.test(file))
const page = readSources((file) => file === 'docs/architecture.md').get('docs/architecture.md') ?? ''
const flows = readFlows(page)

test('the page has its six flows', () => {
  expect(flows.length).toBeGreaterThanOrEqual(FLOWS_MIN)
  expect(flows.filter(({ steps }) => steps.length < 4)).toEqual([])
})

test.each(flows)('$title: every name is declared and leads to the next', ({ steps }) => {
  expect(findBreaks(steps, (file) => sources.get(`src/${file}`))).toEqual([])
})

test('a step that is not declared, not called or not handed over is found', () => {
  const texts = new Map([
    ['a.ts', "import { b } from './b.ts'\nexport function a() {\n  b()\n}"],
    ['b.ts', '// c is next\nexport const b = () => row.run()'],
    ['c.ts', 'export class c {\n  run() {}\n}'],
  ])
  const broken = (line: string) => findBreaks(readSteps(line), (file) => texts.get(file)).length
  expect(broken('`a` (a.ts) -> `b` (b.ts) ~`run`~> `c` (c.ts)')).toBe(0)
  expect(broken('`a` (a.ts) -> `b` (b.ts) -> `c` (c.ts)')).toBe(1)
  expect(broken('`a` (a.ts) ~`run`~> `c` (c.ts)')).toBe(1)
  expect(broken('`a` (a.ts) -> `d` (b.ts)')).toBe(2)
  expect(broken('`a` (a.ts) -> `b` (d.ts)')).toBe(1)
})

/** A flow is a numbered paragraph that begins with its title in bold. */
function readFlows(text: string): { title: string; steps: Step[] }[] {
  return [...text.matchAll(/^\d\. \*\*(.+?)\*\*:((?:.|\n(?!\n|\d\. ))*)/gm)].map(([, title = '', line = '']) => ({
    title,
    steps: readSteps(line),
  }))
}

function readSteps(line: string): Step[] {
  return [...line.matchAll(STEP)].map(([, name = '', file = '', handsOver]) => ({ name, file, handsOver }))
}

function findBreaks(steps: readonly Step[], read: (file: string) => string | undefined): string[] {
  return steps.flatMap(({ name, file, handsOver }, at) => {
    const text = withoutComments(read(file) ?? '')
    const next = steps[at + 1]
    const isDeclared = new RegExp(`(?:function|class|const) ${name}\\b`).test(text)
    const breaks = isDeclared ? [] : [`${file} does not declare ${name}`]
    if (next === undefined) return breaks
    const wanted = handsOver ?? next.name
    if (!says(text, wanted)) breaks.push(`${file} does not say ${wanted}`)
    const isTakenUp = handsOver === undefined || says(withoutComments(read(next.file) ?? ''), handsOver)
    return isTakenUp ? breaks : [...breaks, `${next.file} does not say ${handsOver}`]
  })
}

function says(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text)
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}
