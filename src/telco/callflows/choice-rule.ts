import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { TogetherRule } from '../../platform/model/model.ts'
import { plainWords } from './plain-words.ts'

interface Stored {
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
      sql`select c.callflow, f.name as flow, c.choice_digits as digits, c.speech, c.exten
          from connect_telco_callflow_choice c join connect_telco_callflow f on f.id = c.callflow
          where c.callflow in (${idList(flows)}) order by c.id`,
    )
    for (const [, ofFlow] of Map.groupBy(choices, ({ callflow }) => callflow)) requireDifferent(ofFlow)
  },
}

function requireDifferent(choices: readonly Stored[]): void {
  const known = choices.map((choice) => ({ ...choice, words: plainWords(choice.speech ?? '') }))
  for (const [at, { digits, words, exten, speech, flow }] of known.entries()) {
    const earlier = known.slice(0, at)
    const sameDigits = earlier.filter((each) => each.digits === digits)
    if (sameDigits.some((each) => each.exten !== exten || each.words === words)) {
      refuse('choice_digits', `"${digits}" is a choice of the call flow "${flow}" already`)
    }
    const said = earlier.find((each) => words !== '' && each.words === words && each.exten !== exten)
    if (said === undefined) continue
    refuse('speech', `"${speech}" is said for the choice ${said.digits} of the call flow "${flow}" already`)
  }
}

function refuse(field: 'choice_digits' | 'speech', reason: string): never {
  const message = `"connect.telco.callflow_choice.${field}": ${reason}.`
  throw new Refusal('refused', message, { problems: [{ field, message }] })
}
