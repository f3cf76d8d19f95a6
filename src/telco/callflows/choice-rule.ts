import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { refusedTogether } from '../../errors.ts'
import type { TogetherRule } from '../../platform/model/model.ts'
import { sayRefusal } from '../../refusals.ts'
import { plainWords } from './plain-words.ts'

interface Stored {
  id: number
  callflow: number
  flow: string
  digits: string
  speech: string | null
  exten: number
}

/**
 * Of two choices with the same digits, or the same words, the second is never taken. The same digits twice are fine where they lead
 * to one extension: that has two words then.
 */
export const CHOICES_TOGETHER: TogetherRule = {
  link: 'callflow',
  fields: ['choice_digits', 'speech'],
  says: 'Different from every other choice of the call flow, unless both lead to one extension.',
  async require({ db }, flows) {
    const choices = await db.query<Stored>(
      sql`select c.id, c.callflow, f.name as flow, c.choice_digits as digits, c.speech, c.exten
          from connect_telco_callflow_choice c join connect_telco_callflow f on f.id = c.callflow
          where c.callflow in (${idList(flows)}) order by c.id`,
    )
    for (const [, ofFlow] of Map.groupBy(choices, ({ callflow }) => callflow)) requireDifferent(ofFlow)
  },
}

function requireDifferent(choices: readonly Stored[]): void {
  const known = choices.map((choice) => ({ ...choice, words: plainWords(choice.speech ?? '') }))
  for (const [at, { id, digits, words, exten, speech, flow }] of known.entries()) {
    const earlier = known.slice(0, at)
    const same = earlier.find((each) => each.digits === digits && (each.exten !== exten || each.words === words))
    if (same !== undefined) {
      throw refusedTogether(sayRefusal('choice-digits-twice', { digits, flow }), {
        field: 'choice_digits',
        records: [same.id, id],
      })
    }
    const said = earlier.find((each) => words !== '' && each.words === words && each.exten !== exten)
    if (said === undefined) continue
    const twice = sayRefusal('choice-words-twice', { speech: speech ?? '', digits: said.digits, flow })
    throw refusedTogether(twice, { field: 'speech', records: [said.id, id] })
  }
}
