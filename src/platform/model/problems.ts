import { type Problem, Refusal, saidBy } from '../../errors.ts'
import { sayRefusal } from '../../refusals.ts'

/** Problems that one refusal names: more than a model has fields that can be wrong, fewer than a body can have names. */
const PROBLEMS_MAX = 50

/** What is wrong with the values of one record: gathered, so that a refusal names all of it at once. */
export class Problems {
  readonly #found: { field: string | undefined; refusal: Refusal }[] = []
  readonly #fields = new Set<string>()

  /** The same problems, to gather more of one record in. */
  copy(): Problems {
    const copy = new Problems()
    for (const { field, refusal } of this.#found) copy.add(field, refusal)
    return copy
  }

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  /** Whether something is wrong with the field already: nothing more needs to be said of it. */
  has(field: string): boolean {
    return this.#fields.has(field)
  }

  /** Throws what there is when it is as much as one refusal names. */
  add(field: string | undefined, refusal: Refusal): void {
    if (field !== undefined && this.has(field)) return
    this.#found.push({ field, refusal })
    if (field !== undefined) this.#fields.add(field)
    if (this.#found.length >= PROBLEMS_MAX) this.throwAny()
  }

  /** The outcome of the work; undefined when it was refused, which is then one of the problems. */
  async gather<Result>(field: string | undefined, work: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.add(field, error)
      return undefined
    }
  }

  /** Throws one refusal for all problems, if there are any. What is forbidden comes before what is merely wrong. */
  throwAny(): void {
    const forbidden = this.#found.filter(({ refusal }) => refusal.kind === 'forbidden')
    const named = forbidden.length > 0 ? forbidden : this.#found
    const [first, ...others] = named
    if (first === undefined) return
    const problems = named.flatMap(({ field, refusal }): Problem[] =>
      refusal.problems.length > 0 ? [...refusal.problems] : [{ field: field ?? null, ...saidBy(refusal) }],
    )
    const { kind } = first.refusal
    const isOneKind = others.every(({ refusal }) => refusal.kind === kind)
    const sentences = problems.map(({ message }) => message).join(' ')
    const [only, ...more] = problems
    const said =
      only !== undefined && more.length === 0
        ? only
        : sayRefusal('api-several-problems', { count: problems.length, sentences })
    throw Refusal.saying(isOneKind ? kind : 'refused', said, { cause: first.refusal, problems })
  }
}
