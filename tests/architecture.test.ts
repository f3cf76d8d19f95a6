// The flows of docs/architecture.md are those of the code: each name is where the page says, and leads to the next one.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/source-files.ts'

interface Step {
  name: string
  file: string
  /** How the next one is reached: by an import or a call, under a name that is handed over, or told in words. */
  next: 'called' | { handed: string } | 'told'
}

const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
const STEP = /`(\w+)` \(([\w/.-]+\.ts)\)(?:\s*(->)|\s*~`(\w+)`~>)?/g
const FLOW = /^\d\. \*\*(.+?)\*\*(.*(?:\n {3}.*)*)/gm
const FLOWS_MIN = 6

const flows = [...(page.split(/^## Seven flows$/m)[1] ?? '').matchAll(FLOW)].map(([, title = '', text = '']) => ({
  title,
  steps: [...text.matchAll(STEP)].map(([, name = '', file = '', called, handed]): Step => {
    if (handed !== undefined) return { name, file, next: { handed } }
    return { name, file, next: called === undefined ? 'told' : 'called' }
  }),
}))

const read = (file: string) => readFileSync(path.join(root, 'src', file), 'utf8')
const isNamed = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

/** Whether the file declares the name. */
function declares(file: string, name: string): boolean {
  return new RegExp(`\\b(?:function|const|class|interface|type) ${name}\\b`).test(read(file))
}

/** Whether one file imports the name from the other, as a whole or as a type, or is the other. */
function imports(file: string, { name, file: from }: Step): boolean {
  if (file === from) return true
  const found = [...read(file).matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)]
  return found.some(
    ([, names = '', target = '']) => path.posix.join(path.posix.dirname(file), target) === from && isNamed(names, name),
  )
}

/** What is not so in the code; undefined where the step leads to the next one. */
function wrongWith(step: Step, next: Step | undefined): string | undefined {
  if (!declares(step.file, step.name)) return `${step.file} does not declare ${step.name}`
  if (next === undefined || step.next === 'told') return undefined
  if (step.next === 'called') {
    return imports(step.file, next) ? undefined : `${step.name} does not import ${next.name}`
  }
  const { handed } = step.next
  const isHanded = [step, next].every(({ file }) => isNamed(read(file), handed))
  return isHanded ? undefined : `${step.name} hands nothing over to ${next.name} as ${handed}`
}

describe('the flows of the architecture', () => {
  it('the page has its flows, each of several steps', () => {
    expect(flows.length).toBeGreaterThanOrEqual(FLOWS_MIN)
    for (const { steps } of flows) expect(steps.length).toBeGreaterThan(3)
  })

  it.each(flows)('$title', ({ steps }) => {
    expect(steps.flatMap((step, at) => wrongWith(step, steps[at + 1]) ?? [])).toEqual([])
  })
})
