// The flows of docs/architecture.md are those of the code: each name is where the page says, and leads to the next one.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/source-files.ts'

interface Step {
  name: string
  file: string
  /** How the next one is reached: by a call, under a name that is handed over, or told in words where the flow goes back. */
  next: 'called' | { handed: string } | 'told'
}

const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
const STEP = /`(\w+)` \(([\w/.-]+\.ts)\)(?:\s*(->)|\s*~`(\w+)`~>)?/g
const FLOW = /^\d\. \*\*(.+?)\*\*(.*(?:\n {3}.*)*)/gm
const FLOWS_MIN = 7

const flows = [...(page.split(/^## Seven flows$/m)[1] ?? '').matchAll(FLOW)].map(([, title = '', text = '']) => ({
  title,
  /** The number of the flow whose first steps are its own. */
  like: /^: as in (\d)/.test(text) ? Number(/\d/.exec(text)?.[0]) : undefined,
  steps: [...text.matchAll(STEP)].map(([, name = '', file = '', called, handed]): Step => {
    if (handed !== undefined) return { name, file, next: { handed } }
    return { name, file, next: called === undefined ? 'told' : 'called' }
  }),
}))

/** A top-level declaration of a file, up to the next one. */
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm

const read = (file: string) => readFileSync(path.join(root, 'src', file), 'utf8').replaceAll(COMMENT, '')
const isNamed = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

/** What a file declares at its top, by name. */
function declarationsOf(file: string): Map<string, string> {
  const text = read(file)
  const found = [...text.matchAll(DECLARATION)]
  return new Map(found.map(({ 1: name = '', index }, at) => [name, text.slice(index, found[at + 1]?.index)]))
}

/** The declaration, and those of its file that it calls or names, and what they call, and so on. */
function reachOf({ file, name }: Step): string {
  const declared = declarationsOf(file)
  const reached = new Set([name])
  for (const each of reached) {
    const text = declared.get(each) ?? ''
    for (const other of declared.keys()) if (isNamed(text, other)) reached.add(other)
  }
  return [...reached].map((each) => declared.get(each)).join('\n')
}

/** Whether one file imports the name from the other, as a whole or as a type, or is the other. */
function imports(file: string, { name, file: from }: Step): boolean {
  if (file === from) return true
  const found = [...read(file).matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)]
  return found.some(
    ([, names = '', target = '']) => path.posix.join(path.posix.dirname(file), target) === from && isNamed(names, name),
  )
}

/** What is not so in the code; undefined where the step leads to the next one. Told in words is only a way back. */
function wrongWith(step: Step, next: Step | undefined, met: readonly string[]): string | undefined {
  if (!declarationsOf(step.file).has(step.name)) return `${step.file} does not declare ${step.name}`
  if (next === undefined) return undefined
  if (step.next === 'told') return met.includes(next.name) ? undefined : `nothing leads to ${next.name}`
  if (step.next === 'called') {
    const isCalled = imports(step.file, next) && isNamed(reachOf(step), next.name)
    return isCalled ? undefined : `${step.name} does not call ${next.name}`
  }
  const { handed } = step.next
  const isHanded = [step, next].every((each) => isNamed(reachOf(each), handed))
  return isHanded ? undefined : `${step.name} hands nothing over to ${next.name} as ${handed}`
}

describe('the flows of the architecture', () => {
  it('the page has its flows, each of several steps', () => {
    expect(flows.length).toBeGreaterThanOrEqual(FLOWS_MIN)
    for (const { steps } of flows) expect(steps.length).toBeGreaterThan(3)
  })

  it.each(flows)('$title', ({ steps }) => {
    const before = flows.slice(
      0,
      flows.findIndex((flow) => flow.steps === steps),
    )
    const met = (at: number) =>
      [...before.flatMap((flow) => flow.steps), ...steps.slice(0, at + 1)].map(({ name }) => name)
    expect(steps.flatMap((step, at) => wrongWith(step, steps[at + 1], met(at)) ?? [])).toEqual([])
  })

  it('a flow that begins as another one does begins with one of its steps', () => {
    for (const { like, steps } of flows) {
      if (like === undefined) continue
      expect(flows[like - 1]?.steps.map(({ name }) => name)).toContain(steps[0]?.name)
    }
  })
})
