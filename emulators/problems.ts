/** Something that the real provider would have refused, ignored or been surprised by. */
export interface Problem {
  readonly where: 'telco' | 'voiceai' | 'scenario'
  /** The provider's own error code, when it has one for this. */
  readonly code?: number
  readonly message: string
}

const PROBLEMS_MAX = 1_000

/** Collects what went wrong in a run, so that a scenario fails loudly instead of looking fine. */
export class Problems {
  readonly #found: Problem[] = []
  readonly #report: ((problem: Problem) => void) | undefined

  constructor(report?: (problem: Problem) => void) {
    this.#report = report
  }

  add(problem: Problem): void {
    if (this.#found.length < PROBLEMS_MAX) this.#found.push(problem)
    this.#report?.(problem)
  }

  get all(): readonly Problem[] {
    return this.#found
  }

  /** Takes out the problems whose text matches: a scenario that provokes them names them. */
  take(pattern: RegExp): Problem[] {
    const taken = this.#found.filter((problem) => pattern.test(describeProblem(problem)))
    for (const problem of taken) this.#found.splice(this.#found.indexOf(problem), 1)
    return taken
  }

  /** Throws when anything is left. */
  check(): void {
    if (this.#found.length === 0) return
    const lines = this.#found.map((problem) => `  - ${describeProblem(problem)}`)
    throw new Error(`The providers would have objected:\n${lines.join('\n')}`)
  }

  clear(): void {
    this.#found.length = 0
  }
}

export function describeProblem({ where, code, message }: Problem): string {
  return `${where}${code === undefined ? '' : ` ${code}`}: ${message}`
}
