import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findContactByNumber } from '../../src/contacts/find-by-number.ts'

type Match = NonNullable<Awaited<ReturnType<typeof findContactByNumber>>>

function match(id: number, parentId: number | null = null): Match {
  return {
    id,
    parent_id: parentId,
    name: `Contact ${id}`,
    phone: null,
    mobile: null,
    email: null,
    lang: null,
    tz: null,
  }
}

/** The id of the contact that is found, where these have the number; any contact is found by its id. */
async function chosenId(...matches: Match[]): Promise<number | undefined> {
  const run = async (_statement: unknown, params: { numbers: string[] } | { ids: number[] }) =>
    'ids' in params
      ? params.ids.map((id) => match(id))
      : params.numbers.flatMap((number) => matches.map((each) => ({ ...each, number })))
  const contact = await findContactByNumber({ run } as never, '+41313808316', undefined)
  return contact?.id
}

it.each<[string, Match[], number | undefined]>([
  ['nobody', [], undefined],
  ['the only one', [match(1)], 1],
  ['the only one, also of a company', [match(1, 9)], 1],
  ['the oldest of several people', [match(1), match(2), match(3)], 1],
  ['the person of two, one of which is the company', [match(1), match(2, 1)], 2],
  ['the person also where the company is younger', [match(1, 2), match(2)], 1],
  ['the company of several people', [match(1), match(2, 1), match(3, 1)], 1],
  ['the company that has another number', [match(2, 1), match(3, 1)], 1],
  ['nobody when there are several companies', [match(3, 1), match(4, 2)], undefined],
  ['nobody when a stranger has it too', [match(1), match(2, 9), match(3, 9)], undefined],
])('chooses %s', async (_what, matches, id) => {
  expect(await chosenId(...matches)).toBe(id)
})

it('findContactByNumber never finds anybody who is neither there nor the company of all', async () => {
  const matches = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 9 }), parent: fc.option(fc.integer({ min: 1, max: 9 })) }),
    {
      selector: ({ id }) => id,
    },
  )
  await fc.assert(
    fc.asyncProperty(matches, async (drawn) => {
      const rows = drawn.toSorted((a, b) => a.id - b.id).map(({ id, parent }) => match(id, parent))
      const chosen = await chosenId(...rows)
      if (chosen === undefined) return
      expect(rows.some(({ id, parent_id: parent }) => id === chosen || parent === chosen)).toBe(true)
    }),
  )
})
