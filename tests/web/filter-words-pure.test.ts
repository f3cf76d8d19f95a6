// What a list is filtered by, as a saved view says it under *Data*.
import { describe, expect, test } from 'vitest'
import { filterLines, linksOf } from '../../web/records/filter-words.ts'
import calls from '../../web/words/en/calls.json' with { type: 'json' }
import contacts from '../../web/words/en/contacts.json' with { type: 'json' }
import filters from '../../web/words/en/filters.json' with { type: 'json' }
import records from '../../web/words/en/records.json' with { type: 'json' }
import tickets from '../../web/words/en/tickets.json' with { type: 'json' }

const sayOf = (words: object) => (key: string) => String((words as Record<string, unknown>)[key])
const says = {
  calls: sayOf(calls),
  contacts: sayOf(contacts),
  tickets: sayOf(tickets),
  filters: sayOf(filters),
  records: sayOf(records),
}
const fields = {
  stage_id: { name: 'stage_id', string: 'Stage', type: 'many2one', relation: 'helpdesk.stage' },
  active: { name: 'active', string: 'Active', type: 'boolean' },
  state: { name: 'state', string: 'State', type: 'selection', selection: [['done', 'Done']] },
  create_date: { name: 'create_date', string: 'Created', type: 'datetime' },
} as never
const known = { says, fields, nameOf: (model: string, id: number) => `${model} ${id}` }

describe('a filter in words', () => {
  test.each([
    [{ outcome: 'missed,voicemail' }, ['Outcome: missed, voicemail']],
    [{ direction: 'incoming', day: 'week' }, ['Direction: Incoming', 'Day: Last 7 days']],
    [{ contact: 3, agent: 4 }, ['Contact: res.partner 3', 'Voice agent: connect.voiceai_agent 4']],
    [{ recording: true }, ['Recorded']],
    [{ only: 'numbers' }, ['Unnamed']],
    [{ team: 2, mine: true, as: 'list' }, ['Team: helpdesk.team 2', 'Mine', 'View: List']],
    [{ text: 'boiler' }, ['Search: boiler']],
    [
      { name: 'Zo', where: { stage_id: 1, active: true, state: 'done' } },
      ['Name: Zo', 'Stage: helpdesk.stage 1', 'Active: Yes', 'State: Done'],
    ],
    [{ sort: '-create_date' }, ['Sorted by: Created, descending']],
    [{ sort: 'create_date' }, ['Sorted by: Created, ascending']],
    [{ day: undefined }, []],
    [{}, []],
  ])('%j', (query, lines) => expect(filterLines(query, known)).toEqual(lines))

  test('what no list knows is said in readable words, and nothing of it is JSON', () => {
    expect(filterLines({ some_part: { of: ['a', 'b'] }, outcome: 'lost' }, known)).toEqual([
      'Some part: Of: a, b',
      'Outcome: lost',
    ])
  })

  test('the records are found that it names', () => {
    expect(linksOf({ contact: 3, team: 'x', where: { stage_id: 1, active: true } }, fields)).toEqual([
      { model: 'res.partner', id: 3 },
      { model: 'helpdesk.stage', id: 1 },
    ])
  })
})
